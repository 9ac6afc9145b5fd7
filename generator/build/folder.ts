/** The output folder of `cms build`. Other files in it are left alone: it may contain uploads and data. */
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { OutputFile } from "esbuild";
import { CommandError } from "../commands/exit-codes.ts";
import type { InstalledPackage } from "./packages.ts";

/** The top-level names that a build writes. */
const OURS = ["cms.mjs", "cms.mjs.map", "chunks", "migrations", "node_modules", "licenses.txt", "package.json"];

/**
 * Removes the `parts` that an earlier run wrote; the first one marks a folder as ours.
 *
 * @throws CommandError if the folder contains something else
 */
export const clearFolder = async (folder: string, parts = OURS, kind = "build"): Promise<void> => {
  const present = existsSync(folder) ? await readdir(folder) : [];
  if (present.length > 0 && !present.includes(parts[0] ?? "")) {
    throw new CommandError(`${folder} is not empty, and no ${kind} is in it. Choose another folder: --out DIR`);
  }
  for (const name of parts) await rm(path.join(folder, name), { recursive: true, force: true });
};

/** The license texts of the bundled packages. */
export const licensesOf = async (packages: readonly InstalledPackage[]): Promise<string> => {
  const texts = packages.map(async ({ name, version, folder }) => {
    const own = (await readdir(folder)).filter((each) => /^licen[cs]e/i.test(each)).slice(0, 1);
    // Packages bundled into the chunks of this package.
    const files = [...own, path.join("dist", "licenses.txt")].map((each) => path.join(folder, each)).filter(existsSync);
    const read = await Promise.all(files.map((file) => readFile(file, "utf8")));
    return [`${name} ${version}`, ...read.map((text) => text.trim())].join("\n\n") + "\n";
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
};

/** Hosts that start a folder by its package.json find the program there. */
const manifestOf = (name: string): string =>
  `${JSON.stringify({ name, private: true, type: "module", scripts: { start: "node cms.mjs start" }, engines: { node: ">=20.19.0" } }, null, 2)}\n`;

export interface Contents {
  readonly name: string;
  readonly files: readonly OutputFile[];
  readonly bundled: readonly InstalledPackage[];
  /** The folder with the project's migrations. */
  readonly migrations: string;
}

/** Writes everything except the copied packages. */
export const writeFolder = async (folder: string, { name, files, bundled, migrations }: Contents): Promise<void> => {
  for (const { path: file, contents } of files) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
  await writeFile(path.join(folder, "package.json"), manifestOf(name));
  await writeFile(path.join(folder, "licenses.txt"), await licensesOf(bundled));
  // A project without content types has no migrations.
  if (existsSync(migrations)) await cp(migrations, path.join(folder, "migrations"), { recursive: true });
};

/** The total bytes of all files below `place`; 0 if it does not exist. */
export const sizeOf = async (place: string): Promise<number> => {
  if (!existsSync(place)) return 0;
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const sizes = entries.filter((entry) => entry.isFile()).map((entry) => stat(path.join(entry.parentPath, entry.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
};
