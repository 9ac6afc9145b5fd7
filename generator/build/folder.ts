/** The folder that `cms build` writes. What stands there besides is left alone: uploads and data may lie in it. */
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { OutputFile } from "esbuild";
import { CommandError } from "../commands/exit-codes.ts";
import type { InstalledPackage } from "./packages.ts";

/** What a build writes, by its names at the top. */
const OURS = ["cms.mjs", "cms.mjs.map", "chunks", "migrations", "node_modules", "licenses.txt", "package.json"];

/**
 * Takes away the `parts` that an earlier run has written; the first says that they are in a folder.
 *
 * @throws CommandError for a folder that holds something else
 */
export const clearFolder = async (folder: string, parts = OURS, kind = "build"): Promise<void> => {
  const present = existsSync(folder) ? await readdir(folder) : [];
  if (present.length > 0 && !present.includes(parts[0] ?? "")) {
    throw new CommandError(`${folder} is not empty, and no ${kind} is in it. Choose another folder: --out DIR`);
  }
  for (const name of parts) await rm(path.join(folder, name), { recursive: true, force: true });
};

/** The texts under which the packages in the bundle were published. */
export const licensesOf = async (packages: readonly InstalledPackage[]): Promise<string> => {
  const texts = packages.map(async ({ name, version, folder }) => {
    const own = (await readdir(folder)).filter((each) => /^licen[cs]e/i.test(each)).slice(0, 1);
    // Packages that came into the chunks of this one.
    const files = [...own, path.join("dist", "licenses.txt")].map((each) => path.join(folder, each)).filter(existsSync);
    const read = await Promise.all(files.map((file) => readFile(file, "utf8")));
    return [`${name} ${version}`, ...read.map((text) => text.trim())].join("\n\n") + "\n";
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
};

/** Hosts that start a folder by its package.json find it there. */
const manifestOf = (name: string): string =>
  `${JSON.stringify({ name, private: true, type: "module", scripts: { start: "node cms.mjs start" }, engines: { node: ">=20.19.0" } }, null, 2)}\n`;

export interface Contents {
  readonly name: string;
  readonly files: readonly OutputFile[];
  readonly bundled: readonly InstalledPackage[];
  /** The folder of the project's migrations. */
  readonly migrations: string;
}

/** Writes everything but the packages that are copied. */
export const writeFolder = async (folder: string, { name, files, bundled, migrations }: Contents): Promise<void> => {
  for (const { path: file, contents } of files) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
  await writeFile(path.join(folder, "package.json"), manifestOf(name));
  await writeFile(path.join(folder, "licenses.txt"), await licensesOf(bundled));
  // A project without content types has none.
  if (existsSync(migrations)) await cp(migrations, path.join(folder, "migrations"), { recursive: true });
};

/** Bytes of all files below `place`; none where nothing is. */
export const sizeOf = async (place: string): Promise<number> => {
  if (!existsSync(place)) return 0;
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const sizes = entries.filter((entry) => entry.isFile()).map((entry) => stat(path.join(entry.parentPath, entry.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
};
