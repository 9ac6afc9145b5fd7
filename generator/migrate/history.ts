/** The generated migrations on disk. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { emptySnapshot, parseSnapshot, type Snapshot } from "./snapshot.ts";

export interface Recorded {
  /** Name of the migration's folder. */
  readonly name: string;
  readonly snapshot: Snapshot;
}

/** The migrations in `folder` that were generated, oldest first; hand-written ones have no snapshot. */
export const readHistory = async (folder: string): Promise<readonly Recorded[]> => {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).sort();
  const found: Recorded[] = [];
  for (const name of names) {
    const file = path.join(folder, name, "snapshot.json");
    if (!existsSync(file)) continue;
    try {
      found.push({ name, snapshot: parseSnapshot(await readFile(file, "utf8")) });
    } catch (error) {
      throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  return found;
};

/** Two migrations that were made from the same one, on two branches; undefined when there are none. */
export const divergence = (history: readonly Recorded[]): { first: string; second: string } | undefined => {
  for (const [index, { name, snapshot }] of history.entries()) {
    const before = history[index - 1]?.name ?? null;
    if (snapshot.previous !== before) return { first: before ?? name, second: name };
  }
  return undefined;
};

/** Names from the first migration to each that no other was made from: one list where there was one branch. */
export const linesOf = (history: readonly Recorded[]): readonly (readonly string[])[] => {
  const previous = new Map(history.map(({ name, snapshot }) => [name, snapshot.previous]));
  const followed = new Set(previous.values());
  const lineTo = (name: string): readonly string[] => {
    const before = previous.get(name) ?? null;
    return before === null || !previous.has(before) ? [name] : [...lineTo(before), name];
  };
  return history.filter(({ name }) => !followed.has(name)).map(({ name }) => lineTo(name));
};

export const newestSnapshot = (history: readonly Recorded[]): Snapshot => history.at(-1)?.snapshot ?? emptySnapshot;
