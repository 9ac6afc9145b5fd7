/**
 * Carries out a plan atomically: an interrupted run leaves either the old files or the new ones.
 *
 * It first writes everything below `.pending/` in the output folder, and last, by a rename, the list of what to do with
 * it. Without that list nothing has happened yet, and pending files are discarded; with it the run is committed, and
 * the next run completes it: moving a file that has already been moved, or deleting one that is gone, does no harm.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { changesOf, type OutputPlan } from "./plan.ts";

const PENDING = ".pending";
const JOURNAL = "journal.json";

const journalSchema = z.object({
  /** The destinations, below the output folder, of the files `0`, `1`, `2`, ... below `.pending/files`. */
  move: z.array(z.string()),
  /** Files below the output folder to delete. */
  delete: z.array(z.string()),
});
type Journal = z.output<typeof journalSchema>;

/** Deletes the folder of a deleted file and its parents, as long as they are empty. */
const removeEmptyFolders = (folder: string, path: string): void => {
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    const absolute = join(folder, parent);
    if (!existsSync(absolute) || readdirSync(absolute).length > 0) return;
    rmdirSync(absolute);
  }
};

/** One folder for all, as creating a folder takes longer than writing a file. */
const stagedFile = (folder: string, index: number): string => join(folder, PENDING, "files", String(index));

const carryOut = (folder: string, journal: Journal): void => {
  for (const parent of new Set(journal.move.map((path) => dirname(join(folder, path)))))
    mkdirSync(parent, { recursive: true });
  for (const [index, path] of journal.move.entries()) {
    const staged = stagedFile(folder, index);
    if (existsSync(staged)) renameSync(staged, join(folder, path));
  }
  for (const path of journal.delete) {
    rmSync(join(folder, path), { force: true });
    removeEmptyFolders(folder, path);
  }
  rmSync(join(folder, PENDING), { recursive: true, force: true });
};

/** Whether an interrupted run left anything behind. */
export const isPending = (folder: string): boolean => existsSync(join(folder, PENDING));

/** Whether an earlier run was interrupted while moving its files into place. */
export const isInterrupted = (folder: string): boolean => existsSync(join(folder, PENDING, JOURNAL));

/** Completes what an interrupted run had committed, or discards what it had not. */
export const recover = (folder: string): void => {
  if (!isInterrupted(folder)) return rmSync(join(folder, PENDING), { recursive: true, force: true });
  const journal: unknown = JSON.parse(readFileSync(join(folder, PENDING, JOURNAL), "utf8"));
  carryOut(folder, journalSchema.parse(journal));
};

/** The folder of a path, or its nearest existing parent. */
const nearestFolder = (path: string): string => {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
};

/**
 * Throws the file system's error if files below the output folder could not be written or deleted: a run that fails
 * halfway would leave a mix of new and old files.
 */
export const demandWritable = (folder: string, paths: readonly string[]): void => {
  const folders = new Set(paths.map((path) => nearestFolder(join(folder, path))));
  for (const each of folders) accessSync(each, constants.W_OK);
};

/** Writes and deletes what the plan says; does not touch unchanged files. */
export const writeOutput = (folder: string, plan: OutputPlan): void => {
  const changes = changesOf(plan);
  if (changes.length === 0) return;
  const pending = join(folder, PENDING);
  mkdirSync(join(pending, "files"), { recursive: true });
  const written = changes.flatMap(({ path, after }) => (after === undefined ? [] : [{ path, after }]));
  for (const [index, { after }] of written.entries()) writeFileSync(stagedFile(folder, index), after);
  const journal: Journal = {
    move: written.map(({ path }) => path),
    delete: changes.filter(({ action }) => action === "delete").map(({ path }) => path),
  };
  writeFileSync(join(pending, `${JOURNAL}.new`), JSON.stringify(journal));
  renameSync(join(pending, `${JOURNAL}.new`), join(pending, JOURNAL));
  carryOut(folder, journal);
};
