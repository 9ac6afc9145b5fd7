/** `cms import`: takes over a Strapi project or its content, whichever it is given. */
import path from "node:path";
import type { Command } from "commander";
import type { SourceOf } from "./command.ts";
import { rootOf } from "./global-options.ts";
import type { ArchiveOptions } from "./import/archive.ts";
import { kindOf } from "./import/kind.ts";

interface Options extends ArchiveOptions {
  readonly force?: true;
}

const HELP = `
Examples:
  $ cms import ../old                         types, settings, and a list of what is left to do
  $ cms import export_20260101120000.tar.gz.enc --key SECRET
  $ cms import export.tar.gz --dry-run        count, and write nothing
  $ cms import export.tar --files ../old/public/uploads

What is there already stays as it is, so that it may run again, also after it was killed.`;

export const configure = (command: Command, sourceOf: SourceOf): void => {
  command
    .argument("<what>", "a Strapi project's folder, or what strapi export wrote: .tar, .tar.gz, .enc, or a folder")
    .option("--key <key>", "the key of an encrypted archive")
    .option("--files <from>", "a folder or a server's address with the files that the archive does not have")
    .option("--dry-run", "say what would be taken over, and write nothing")
    .option("--report <file>", "where to write which content could not be taken over", ".cms/import-report.jsonl")
    .option("--force", "of a project: replace files that were edited here since they were taken over")
    .addHelpText("after", HELP)
    .action(async (what: string, options: Options) => {
      if (kindOf(path.resolve(what)) === "project") {
        const { importProject } = await import("./import/project.ts");
        return importProject({ root: rootOf(command), source: path.resolve(what), ...options });
      }
      const { importArchive } = await import("./import/archive.ts");
      return importArchive({ command, sourceOf }, what, options);
    });
};
