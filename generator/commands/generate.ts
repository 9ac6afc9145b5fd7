/** `cms generate`: schema files in, generated files and migrations out. */
import type { Command } from "commander";
import type { GenerateFlags } from "./generate/flags.ts";
import { rootOf } from "./global-options.ts";
import { parseMigrationName } from "./options.ts";

const HELP = `
Examples:
  $ cms generate                     write what has changed
  $ cms generate --check             for CI: fail when the committed files are not up to date
  $ cms generate --from src          read a project in Strapi's layout
  $ cms generate --print-model       show how the schema files are understood

Exit codes: 0 success, 1 files differ (--check), 2 the schema files or options are wrong, 70 a bug.`;

export const configure = (command: Command): void => {
  command
    .description("Writes tables, descriptors, validators, routes and migrations from the schema files.")
    .option("--from <dir>", "folder with the schema files (default: generate.from of cms.config.ts)")
    .option("--check", "write nothing; show what differs, and exit with 1 if anything does")
    .option("--full", "with --check: whole diffs instead of their first lines")
    .option("--watch", "generate again whenever a schema file changes")
    .option("--force", "overwrite generated files that were edited by hand")
    .option("--allow <loss...>", "let the migration lose data, such as drop:article.subtitle")
    .option("--name <name>", "name of the migration, such as add_hero", parseMigrationName)
    .option(
      "--expand",
      "rename in two steps: now keep the old names beside the new ones, for processes of the older build",
    )
    .option("--contract", "finish what --expand began, once no process of the older build is left")
    .option("--verify", "type-check the generated files before writing them (slow)")
    .option("--json", "print the result as JSON on stdout")
    .option("--print-model", "print the model as JSON on stdout, and write nothing")
    .addHelpText("after", HELP)
    .action(async (flags: GenerateFlags) => {
      const { runGenerate } = await import("./generate/command.ts");
      process.exitCode = await runGenerate(rootOf(command), flags);
    });
};
