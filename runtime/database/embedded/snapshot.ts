/**
 * A file with an empty embedded database: unpacking it takes a second, creating a database takes four. It is made when
 * the package is built, and fits only the version of PGlite that made it.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
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
export const snapshotFile = (): string => builtFile("embedded", `pglite-${pgliteVersion()}.tar.br`);

/** The snapshot for the installed version; undefined if there is none, and PGlite then creates the database itself. */
export const readSnapshot = async (): Promise<Blob | undefined> => {
  const file = snapshotFile();
  return existsSync(file) ? new Blob([await promisify(brotliDecompress)(await readFile(file))]) : undefined;
};

/** The window spans the three copies of PostgreSQL's catalog, so the file is a third of what gzip makes. */
const COMPRESSION = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 };

/** Creates the snapshot unless it exists. */
export const buildSnapshot = async (): Promise<void> => {
  const file = snapshotFile();
  if (existsSync(file)) return;
  const { PGlite } = await import("@electric-sql/pglite");
  const engine = await PGlite.create();
  const dump = await engine.dumpDataDir("none");
  await engine.close();
  const compressed = await promisify(brotliCompress)(await dump.arrayBuffer(), { params: COMPRESSION });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.${process.pid}`, compressed);
  await rename(`${file}.${process.pid}`, file);
};
