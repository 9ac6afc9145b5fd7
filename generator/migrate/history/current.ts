/**
 * Remembers locally (`.cms/cache`) what the newest migration was made from, so that a run that changes nothing neither
 * bundles nor compares.
 */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { installation } from "../../../runtime/app/loader/installation.ts";
import { writeCacheFile } from "../../../runtime/base/private-folder.ts";
import { digestOf } from "../../rendered/digest.ts";

const cacheFile = (root: string): string => path.join(root, ".cms", "cache", "migrations");

/**
 * What tells that the migrations in `folder` are those of the last comparison. The next migration is made from the newest
 * snapshot, whose text counts; there may be hundreds of others, of which the file system says enough.
 *
 * @param names of the migrations, oldest first
 */
export const tracesOf = (folder: string, names: readonly string[]): readonly string[] => {
  const found = names.map((name) => {
    const file = path.join(folder, name, "snapshot.json");
    return { name, file, stats: statSync(file, { throwIfNoEntry: false }) };
  });
  const newest = found.findLast(({ stats }) => stats !== undefined)?.file;
  const traces = found.flatMap(({ name, stats }) => [name, stats ? `${stats.size} ${stats.mtimeMs}` : "none"]);
  return newest === undefined ? traces : [...traces, readFileSync(newest, "utf8")];
};

/** Changes with anything that a migration is planned from: what is given here, and what is installed. */
export const migrationDigest = (parts: readonly string[]): string => digestOf([installation(), ...parts]);

/** The digest of the last comparison that found no difference; undefined when none is remembered. */
export const remembered = (root: string): string | undefined => {
  try {
    return readFileSync(cacheFile(root), "utf8");
  } catch {
    return undefined;
  }
};

export const isRemembered = (root: string, digest: string): boolean => remembered(root) === digest;

export const remember = (root: string, digest: string): void => writeCacheFile(cacheFile(root), digest);
