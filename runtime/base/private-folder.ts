/** Folders that only the current user can access. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { isFileFault } from "./file-fault.ts";

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
 * Writes a file that only the current user can access, replacing an existing one, and creates missing parent folders.
 *
 * @param file in a folder that is closed to others, such as `.cms`
 */
export const writePrivateFile = (file: string, content: string | Uint8Array): void => {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, content, { mode: 0o600 });
  chmodSync(file, 0o600);
};

/**
 * Writes a private file with what can be found out again, to save time. Where it cannot be written, as in a read-only
 * project, it is found out each time.
 */
export const writeCacheFile = (file: string, content: string): void => {
  try {
    writePrivateFile(file, content);
  } catch (error) {
    if (!isFileFault(error)) throw error;
  }
};
