/** Folders that only the current user can access. */
import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { hasCode, isFileFault } from "./thrown.ts";

/** Creates the folder and its missing parents, and denies access to other users. */
export const makePrivateFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
};

/** Denies other users access to everything in the folder, at every depth. */
export const closeToOthers = async (folder: string): Promise<void> => {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) await closeToOthers(inside);
    else if (entry.isFile()) await chmod(inside, 0o600);
  }
};

/**
 * Writes a temporary file and calls `place` with its name, so that readers of `file` see all of the content or none.
 */
const writeBeside = (file: string, content: string | Uint8Array, place: (written: string) => void): void => {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${randomUUID()}`;
  try {
    writeFileSync(beside, content, { mode: 0o600 });
    place(beside);
  } finally {
    rmSync(beside, { force: true });
  }
};

/**
 * Writes a file that only the current user can access, replacing an existing one, and creates missing parent folders.
 *
 * @param file in a folder that is closed to others, such as `.cms`
 */
export const writePrivateFile = (file: string, content: string | Uint8Array): void =>
  writeBeside(file, content, (written) => renameSync(written, file));

const isThere = (error: unknown): boolean => hasCode(error, "EEXIST");

/** Fails if the file exists. On a file system without links, the last of several simultaneous writers wins. */
const placeOnce = (written: string, file: string): void => {
  try {
    linkSync(written, file);
  } catch (error) {
    if (isThere(error)) throw error;
    renameSync(written, file);
  }
};

/** The same for a file that is written only once: the first of several processes wins. */
export const writePrivateFileOnce = (file: string, content: string): void => {
  try {
    writeBeside(file, content, (written) => placeOnce(written, file));
  } catch (error) {
    if (!isThere(error)) throw error;
  }
};

/** Caches something in a private file. If it cannot be written, as in a read-only project, it is computed each time. */
export const writeCacheFile = (file: string, content: string): void => {
  try {
    writePrivateFile(file, content);
  } catch (error) {
    if (!isFileFault(error)) throw error;
  }
};
