/**
 * A file with an empty embedded database: unpacking it takes a second, creating a database takes four. It is made when
 * the package is built, and fits only the version of PGlite that made it.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { builtFile } from "../../base/package-folder.ts";

/** The installed version of PGlite. */
export const pgliteVersion = (): string => {
  const manifest = path.join(
    path.dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite")),
    "..",
    "package.json",
  );
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, "utf8"))).version;
};

/** The path of the snapshot for the installed version. */
export const snapshotFile = (): string => builtFile("embedded", `pglite-${pgliteVersion()}.tar.gz`);

/** The snapshot for the installed version; undefined if there is none, and PGlite then creates the database itself. */
export const readSnapshot = async (): Promise<Blob | undefined> => {
  const file = snapshotFile();
  return existsSync(file) ? new Blob([await readFile(file)]) : undefined;
};

/** Creates the snapshot unless it exists. */
export const buildSnapshot = async (): Promise<void> => {
  const file = snapshotFile();
  if (existsSync(file)) return;
  const { PGlite } = await import("@electric-sql/pglite");
  const engine = await PGlite.create();
  const dump = await engine.dumpDataDir("gzip");
  await engine.close();
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.${process.pid}`, new Uint8Array(await dump.arrayBuffer()));
  await rename(`${file}.${process.pid}`, file);
};
