/** `cms migrate`: applies migrations, shows and undoes them. Loads nothing that makes them. */
import type { Command, OptionValues } from "commander";
import { CommandError } from "./exit-codes.ts";
import { rootOf } from "./global-options.ts";
import type { RebaseFlags } from "./migrate/rebase.ts";
import type { ResetFlags } from "./migrate/reset.ts";
import type { DownFlags, MigrateFlags } from "./migrate/run.ts";
import type { SquashFlags } from "./migrate/squash.ts";
import { parseMigrationName } from "./migration-name.ts";

const HELP = `
Examples:
  $ cms migrate                    apply everything that is pending
  $ cms migrate --dry-run          print the SQL that would run
  $ cms migrate status             show what is applied and what is pending
  $ cms migrate down               undo the last one
  $ cms migrate squash             make one migration of those of this branch
  $ cms migrate new add_search     write an empty migration for SQL of your own`;

/**
 * The flags of a subcommand. Those that the command itself has too end up there, wherever they stand: they are taken
 * from it, and what the subcommand does not know is refused instead of being passed over.
 */
const flagsOf = <Flags>(own: Command): Flags => {
  const given = own.parent?.opts() ?? {};
  for (const option of own.parent?.options ?? []) {
    const isKnown = own.options.some(({ long }) => long === option.long);
    if (isKnown || given[option.attributeName()] === undefined) continue;
    throw new CommandError(`"cms migrate ${own.name()}" has no option ${option.long}`);
  }
  return own.optsWithGlobals<Flags & OptionValues>();
};

export const configure = (command: Command): void => {
  command
    .option("--to <name>", "stop after this migration")
    .option("--dry-run", "print what would run, and change nothing")
    .option("--ignore-drift", "go on although the database was changed by hand")
    .addHelpText("after", HELP)
    .action(async (flags: MigrateFlags) => {
      const { runMigrate } = await import("./migrate/run.ts");
      await runMigrate(rootOf(command), flags);
    });
  command
    .command("status")
    .description("show what is applied, what is pending, and whether the database drifted")
    .action(async (_flags: unknown, own: Command) => {
      flagsOf(own);
      const { runStatus } = await import("./migrate/run.ts");
      process.exitCode = await runStatus(rootOf(command));
    });
  command
    .command("down")
    .description("undo the migration that was applied last")
    .option("--to <name>", "undo all that were applied after this one")
    .option("--dry-run", "print what would run, and change nothing")
    .option("--allow-loss", "undo although content goes, such as what stands in columns that were added")
    .action(async (_flags: unknown, own: Command) => {
      const { runDown } = await import("./migrate/run.ts");
      await runDown(rootOf(command), flagsOf<DownFlags>(own));
    });
  command
    .command("rebase")
    .description("end a merge: write generated files anew, and the branch's migrations on top of those of main")
    .option("--allow <loss...>", "let the new migration lose data, such as drop:article.subtitle")
    .action(async (_flags: unknown, own: Command) => {
      const { runRebase } = await import("./migrate/rebase.ts");
      await runRebase(rootOf(command), flagsOf<RebaseFlags>(own));
    });
  command
    .command("squash")
    .description("make one migration of those that only this branch has")
    .option("--from <name>", "the first one to take")
    .option("--name <name>", "what to call it, such as add_hero", parseMigrationName)
    .action(async (_flags: unknown, own: Command) => {
      const { runSquash } = await import("./migrate/squash.ts");
      await runSquash(rootOf(command), flagsOf<SquashFlags>(own));
    });
  command
    .command("reset")
    .description("empty a database for development, and apply all migrations to it")
    .option("--allow-loss", "go on although content is there")
    .option("--database <name>", "its name, where it is not on this machine")
    .action(async (_flags: unknown, own: Command) => {
      const { runReset } = await import("./migrate/reset.ts");
      await runReset(rootOf(command), flagsOf<ResetFlags>(own));
    });
  command
    .command("new <name>")
    .description("write an empty migration for SQL of your own")
    .action(async (name: string, _flags: unknown, own: Command) => {
      flagsOf(own);
      const { runNew } = await import("./migrate/new.ts");
      await runNew(rootOf(command), name);
    });
};
