/** Writes the generated client, and the runtime parts that it needs, as a package without dependencies. */
import { existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { builtFile } from "../../runtime/base/package-folder.ts";
import { clearFolder, sizeOf } from "../build/folder.ts";
import { CommandError } from "../commands/exit-codes.ts";
import { declarationsOf } from "./declarations.ts";

/**
 * Writes the client package for the folder `generated` to `folder`. Returns its size in bytes.
 *
 * @throws CommandError if there is no client, or `folder` contains something else
 */
export const writeClient = async (generated: string, folder: string): Promise<number> => {
  const client = path.join(generated, "client/index.ts");
  if (!existsSync(client))
    throw new CommandError(
      `${client} does not exist: run \`cms generate\`, without generate.client: false in the configuration`,
    );
  await clearFolder(folder, ["client.js", "index.js", "types", "package.json"], "client");
  await cp(builtFile("client-package"), folder, { recursive: true });
  await build({
    entryPoints: [client],
    // By default, esbuild uses the working directory from when it was loaded.
    absWorkingDir: path.resolve(generated),
    outfile: path.join(folder, "index.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    alias: { "galley-cms/client": "./client.js" },
    external: ["./client.js"],
    logLevel: "silent",
  });
  for (const [file, text] of declarationsOf(generated)) {
    const target = path.join(folder, "types/generated", file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  return sizeOf(folder);
};
