/** `cms rename`: renames an attribute in schema files, code and database. */
import type { Command } from "commander";
import { rootOf } from "./global-options.ts";

const HELP = `
Examples:
  $ cms rename article.subtitle tagline       an attribute of a content type
  $ cms rename shared.seo.title headline      a field of a component

Edits the schema files (keeping their formatting), renames the attribute in the project's TypeScript code,
generates, and writes the migration that keeps the content.`;

export const configure = (command: Command): void => {
  command
    .argument("<attribute>", "the attribute: article.subtitle, or shared.seo.title")
    .argument("<name>", "its new name")
    .option("--expand", 'in two steps: keep the old name too until "cms generate --contract"')
    .addHelpText("after", HELP)
    .action(async (attribute: string, name: string, flags: { readonly expand?: true }) => {
      const { runRename } = await import("./rename/run.ts");
      await runRename(rootOf(command), attribute, name, flags);
    });
};
