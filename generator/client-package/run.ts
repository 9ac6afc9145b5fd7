/** Writes the generated client, and what it needs of the runtime, as a package that depends on nothing. */
import { existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { builtFile } from "../../runtime/base/package-folder.ts";
import { clearFolder, sizeOf } from "../build/folder.ts";
import { CommandError } from "../commands/exit-codes.ts";
import { declarationsOf } from "./declarations.ts";

/**
 * Writes the package of the client in the folder `generated` to `folder`. Returns its size in bytes.
 *
 * @throws CommandError where there is no client, or something else is in the folder
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
    // The one that esbuild takes by itself is that of the moment in which it was loaded.
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
