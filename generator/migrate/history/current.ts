/** Detects whether the migrations of a folder changed since an earlier run. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";

/**
 * A fingerprint of the migrations in `folder`. The next migration is made from the newest snapshot, so its text counts;
 * there may be hundreds of others, for which file metadata is enough.
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
