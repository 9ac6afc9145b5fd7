/** `cms import`: takes over a Strapi project or its content, whichever it is given. */
import type { Command } from "commander";
import type { SourceOf } from "./command.ts";
import { rootOf } from "./global-options.ts";
import type { ContentOptions } from "./import/content.ts";
import { kindOf, placeOf } from "./import/kind.ts";

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

What is there already stays as it is, so that it may run again, also after it was killed.`;

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .argument(
      "<what>",
      "a Strapi project's folder, what strapi export wrote (.tar, .tar.gz, .enc, or a folder), or a Strapi database: postgres://… or an SQLite file",
    )
    .option("--key <key>", "the key of an encrypted archive")
    .option("--files <from>", "a folder or a server's address with the files that an archive lacks, and a database")
    .option("--from <folder>", "of a database: the folder with the schema files that the project is generated from")
    .option("--dry-run", "say what would be taken over, and write nothing")
    .option("--report <file>", "where to write which content could not be taken over", ".cms/import-report.jsonl")
    .option("--force", "of a project: replace files that were edited here since they were taken over")
    .addHelpText("after", HELP)
    .action(async (what: string, options: Options) => {
      const place = placeOf(what);
      if (kindOf(place) === "project") {
        const { importProject } = await import("./import/project.ts");
        return importProject({ root: rootOf(command), source: place, ...options });
      }
      const { importContent } = await import("./import/content.ts");
      return importContent({ command, sourceOf }, place, options);
    });
};
