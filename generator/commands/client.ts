/** `cms client`: builds a package with only the client, for front ends that do not install the server. */
import path from "node:path";
import type { Command } from "commander";
import { loadConfig } from "../../runtime/app/loader/load-config.ts";
import { rootOf } from "./global-options.ts";
import { out } from "./terminal.ts";

interface Flags {
  readonly out: string;
}

const HELP = `
Examples:
  $ cms client --out ../site/cms-client
  $ cd ../site && npm install ./cms-client`;

export const configure = (command: Command): void => {
  command
    .description("Writes the generated client as a package without dependencies.")
    .option("--out <dir>", "the folder, relative to that of the project", "cms-client")
    .addHelpText("after", HELP)
    .action(async (flags: Flags) => {
      const root = rootOf(command);
      const { generate } = await loadConfig(root);
      const { writeClient } = await import("../client-package/run.ts");
      const folder = path.resolve(root, flags.out);
      const bytes = await writeClient(path.resolve(root, generate.to), folder);
      process.stdout.write(`${out.green("wrote")} ${flags.out}: ${(bytes / 1000).toFixed(1)} kB\n`);
    });
};
