/** `cms import`: imports a Strapi project or its content, depending on the path given. */
import { existsSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import type { SourceOf } from "../commands/command.ts";
import { rootOf } from "../commands/global-options.ts";
import { isFolder } from "../schema/find.ts";
import { isDatabaseAddress } from "./address.ts";
import type { ContentOptions } from "./import-content.ts";

interface Options extends ContentOptions {
  readonly force?: true;
}

const HELP = `
Examples:
  $ cms import ../old                         types, settings, and a list of what is left to do
  $ cms import export_20260101120000.tar.gz.enc --key SECRET
  $ cms import export.tar.gz --dry-run        count, and write nothing
  $ cms import postgres://user:password@localhost/strapi --files ../old/public/uploads
  $ cms import ../old/.tmp/data.db --files https://old.example.com

Existing content is kept, so you can run the command again, even after it was killed.`;

/** Whether the path is a project. Anything else is content: the output of `strapi export`, or a database. */
const isProject = (place: string): boolean =>
  isFolder(place) &&
  !existsSync(path.join(place, "metadata.json")) &&
  (isFolder(path.join(place, "src")) || isFolder(path.join(place, "config")));

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .argument(
      "<what>",
      "a Strapi project's folder, what strapi export wrote (.tar, .tar.gz, .enc, or a folder), or a Strapi database: postgres://… or an SQLite file",
    )
    .option("--key <key>", "the key of an encrypted archive")
    .option("--files <from>", "a folder or a server's address with the files that an archive or a database lacks")
    .option("--from <folder>", "when importing a database: the folder with the project's schema files")
    .option("--dry-run", "show what would be imported, and write nothing")
    .option("--report <file>", "file for the list of content that could not be imported", ".cms/import-report.jsonl")
    .option("--force", "for a project: overwrite imported files that were edited here")
    .addHelpText("after", HELP)
    .action(async (what: string, options: Options) => {
      const place = isDatabaseAddress(what) ? what : path.resolve(what);
      if (isProject(place)) {
        const { importProject } = await import("./import-project.ts");
        return importProject({ root: rootOf(command), source: place, ...options });
      }
      const { importContent } = await import("./import-content.ts");
      return importContent({ command, sourceOf }, place, options);
    });
};
