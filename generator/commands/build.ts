/** `cms build`: creates a folder that runs with Node alone. */
import path from "node:path";
import type { Command } from "commander";
import type { Built } from "../build/run.ts";
import { rootOf } from "./global-options.ts";
import { out } from "./terminal.ts";

interface Flags {
  readonly out: string;
  readonly embedded?: true;
  readonly copy?: readonly string[];
}

const HELP = `
The folder has the commands that a server needs, such as migrate and start, but none that generate code.
  $ cms build
  $ node build/cms.mjs migrate
  $ node build/cms.mjs start`;

export const configure = (command: Command): void => {
  command
    .option("--out <dir>", "the folder, relative to that of the project", "build")
    .option("--embedded", "include the embedded database")
    .option(
      "--copy <package...>",
      "copy packages instead of bundling them, for example those that read their own files",
    )
    .addHelpText("after", HELP)
    .action(async (flags: Flags) => {
      const root = rootOf(command);
      const folder = path.resolve(root, flags.out);
      const { buildProject } = await import("../build/run.ts");
      const built = await buildProject({ root, folder, embedded: flags.embedded === true, copied: flags.copy ?? [] });
      process.stdout.write(report(flags.out, built));
    });
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const report = (folder: string, { bundled, copied, size, embedded }: Built): string => {
  const names = copied.map(({ name, version }) => `${name} ${version}`);
  return [
    `${out.green("built")} ${folder}: ${megabytes(size.total)}, ${bundled.length + copied.length} packages`,
    `  bundled  ${megabytes(size.total - size.copied)}, code of ${bundled.length} packages`,
    `  copied   ${names.length === 0 ? "nothing" : `${megabytes(size.copied)}, ${names.join(", ")}`}`,
    ...(embedded ? [] : ["  without the embedded database: it needs DATABASE_URL, or --embedded"]),
    `Run it with: node ${path.join(folder, "cms.mjs")} start`,
    "",
  ].join("\n");
};
