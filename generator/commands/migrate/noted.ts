/** Which migrations were applied from this folder to any database, kept in `.cms`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../../../runtime/base/private-folder.ts";

const noteOf = (root: string): string => path.join(root, ".cms", "applied.json");

/** The names of the migrations. */
export const readNote = (root: string): readonly string[] => {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(noteOf(root), "utf8")));
  } catch {
    return [];
  }
};

const writeNote = (root: string, names: Iterable<string>): void =>
  writePrivateFile(noteOf(root), JSON.stringify([...names].sort()));

/** Remembers on this machine that some database has these by now: the next command may not see that one. */
export const noteApplied = (root: string, names: readonly string[]): void => {
  if (names.length > 0) writeNote(root, new Set([...readNote(root), ...names]));
};

/** The same for those that were taken back. */
export const noteUndone = (root: string, names: readonly string[]): void => {
  const known = readNote(root);
  const left = known.filter((name) => !names.includes(name));
  if (left.length < known.length) writeNote(root, left);
};
