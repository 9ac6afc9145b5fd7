/** Migrations ever applied from this folder to any database: `.cms` keeps their files as they were then. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

export const appliedFolder = (root: string): string => path.join(root, ".cms", "applied");

/** The names of the migrations. */
export const readNote = (root: string): readonly string[] =>
  existsSync(appliedFolder(root)) ? readdirSync(appliedFolder(root)) : [];

/**
 * Records on this machine that some database has these: the next command may see neither that database nor the files.
 *
 * @param folder the folder with the files
 */
export const noteApplied = (root: string, folder: string, names: readonly string[]): void => {
  const applied = appliedFolder(root);
  for (const name of names.filter((each) => existsSync(path.join(folder, each)))) {
    mkdirSync(applied, { recursive: true, mode: 0o700 });
    const beside = mkdtempSync(path.join(root, ".cms", "noting-"));
    try {
      for (const file of readdirSync(path.join(folder, name)))
        writeFileSync(path.join(beside, file), readFileSync(path.join(folder, name, file)), { mode: 0o600 });
      const place = path.join(applied, name);
      rmSync(place, { recursive: true, force: true });
      renameSync(beside, place);
    } finally {
      rmSync(beside, { recursive: true, force: true });
    }
  }
};

/** The same for those that were undone. */
export const noteUndone = (root: string, names: readonly string[]): void => {
  for (const name of names) rmSync(path.join(appliedFolder(root), name), { recursive: true, force: true });
};
