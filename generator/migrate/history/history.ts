/** The generated migrations on disk. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { messageOf, SetupError } from "../../../runtime/base/thrown.ts";
import { emptySnapshot, parseSnapshot, type Snapshot } from "../snapshot.ts";

export interface Recorded {
  /** Name of the migration's folder. */
  readonly name: string;
  /** Name of the migration that it was based on; null for the first. */
  readonly previous: string | null;
  /** Read on demand: there may be hundreds, of which one or two are needed. Throws if it is unreadable. */
  readonly snapshot: Snapshot;
}

/** How written snapshots begin. */
const HEAD = /^\{\s*"version": 1,\s*"previous": (null|"[^"\\]*"),/;

class RecordedFile implements Recorded {
  readonly name: string;
  readonly #file: string;
  readonly #text: string;
  #snapshot: Snapshot | undefined;

  constructor(name: string, file: string, text: string) {
    this.name = name;
    this.#file = file;
    this.#text = text;
  }

  get previous(): string | null {
    const [, previous] = HEAD.exec(this.#text) ?? [];
    if (previous === undefined) return this.snapshot.previous;
    return previous === "null" ? null : previous.slice(1, -1);
  }

  get snapshot(): Snapshot {
    try {
      this.#snapshot ??= parseSnapshot(this.#text);
      return this.#snapshot;
    } catch (error) {
      const reason = `${this.#file} cannot be read: ${messageOf(error)}`;
      throw new SetupError(`${reason}. Take it from where it is whole, such as the main branch`, { cause: error });
    }
  }
}

/** The generated migrations in `folder`, oldest first; hand-written ones have no snapshot. */
export const readHistory = (folder: string): readonly Recorded[] => {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const file = path.join(folder, name, "snapshot.json");
      return existsSync(file) ? [new RecordedFile(name, file, readFileSync(file, "utf8"))] : [];
    });
};

/** Two migrations with the same base, made on two branches; undefined if there are none. */
export const divergence = (history: readonly Recorded[]): { first: string; second: string } | undefined => {
  for (const [index, { name, previous }] of history.entries()) {
    const before = history[index - 1]?.name ?? null;
    if (previous !== before) return { first: before ?? name, second: name };
  }
  return undefined;
};

/** Names from the first migration to each leaf: one list if there was only one branch. */
export const linesOf = (history: readonly Recorded[]): readonly (readonly string[])[] => {
  const previous = new Map(history.map((each) => [each.name, each.previous]));
  const followed = new Set(previous.values());
  const lineTo = (name: string): readonly string[] => {
    const before = previous.get(name) ?? null;
    return before === null || !previous.has(before) ? [name] : [...lineTo(before), name];
  };
  return history.filter(({ name }) => !followed.has(name)).map(({ name }) => lineTo(name));
};

export const newestSnapshot = (history: readonly Recorded[]): Snapshot => history.at(-1)?.snapshot ?? emptySnapshot;
