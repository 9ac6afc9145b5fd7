/** Folders whose content is nobody else's business on this machine. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readdir } from "node:fs/promises";
import path from "node:path";

/** Makes the folder, with those above it that are missing, and closes it to other accounts. */
export const makePrivateFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
};

/** Closes everything in the folder to other accounts, at every depth. */
export const closeToOthers = async (folder: string): Promise<void> => {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) await closeToOthers(inside);
    else if (entry.isFile()) await chmod(inside, 0o600);
  }
};

/**
 * Writes a file for this account alone, whatever the one before it was, and makes the folders that are missing above it.
 *
 * @param file in a folder that is closed to others, such as `.cms`
 */
export const writePrivateFile = (file: string, content: string | Uint8Array): void => {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, content, { mode: 0o600 });
  chmodSync(file, 0o600);
};
