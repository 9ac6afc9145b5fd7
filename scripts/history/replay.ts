/** Replays a history of schema files on a database with content. */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { CommandError } from "../../generator/commands/exit-codes.ts";
import type { Project } from "../../generator/commands/generate/project.ts";
import { generate } from "../../generator/commands/generate/run.ts";
import { countAll } from "../../generator/commands/migrate/count.ts";
import { readHistory } from "../../generator/migrate/history/history.ts";
import { migrationsFolder } from "../../generator/migrate/migration.ts";
import { lossesOf } from "../../generator/migrate/report/write-sql.ts";
import { emptySnapshot, type Snapshot } from "../../generator/migrate/snapshot.ts";
import { findDrift } from "../../generator/migrate/tables/drift.ts";
import type { Database } from "../../runtime/database/database.ts";
import { migrate, migrateDown, migrationStatus } from "../../runtime/database/migrations/migrator.ts";
import { MigrationError } from "../../runtime/database/migrations/record.ts";
import { compare, type Comparison, isKept, nothingRenamed, readContent, type Renamed } from "./content.ts";
import { makeRoom } from "./make-room.ts";
import { Samples } from "./samples.ts";
import { removeDuplicates } from "./unique.ts";

export interface Step extends Comparison {
  /** The migration; undefined if the change needed none, or none was possible. */
  readonly migration: string | undefined;
  /** Why the step is skipped. */
  readonly problem?: string;
  /** The allowed losses, and those that the header names. */
  readonly flags: readonly string[];
  readonly losses: readonly string[];
  /** Places whose values were emptied, or whose duplicates were removed, because they blocked the migration. */
  readonly emptied: readonly string[];
  /** Losses in the header that did not happen. */
  readonly untrue: readonly string[];
  readonly drift: readonly string[];
}

export interface Back extends Comparison {
  /** As in a step, in both directions. */
  readonly emptied: readonly string[];
  readonly drift: readonly string[];
  readonly milliseconds: number;
  /** How many migrations were undone, one after the other. */
  readonly downs: number;
  /** What stopped a way down although nothing had named it. */
  readonly stopped: readonly string[];
}

const none: Step = {
  migration: undefined,
  kept: 0,
  named: 0,
  silent: [],
  flags: [],
  losses: [],
  emptied: [],
  untrue: [],
  drift: [],
};

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The flags that a refusal asks for. */
const flagsIn = (refusal: string): readonly string[] => [
  ...new Set([...refusal.matchAll(/--allow '?([^\s']+)/g)].map(([, flag = ""]) => flag)),
];

const uidsOf = ({ contentTypes }: Snapshot): readonly string[] =>
  Object.keys(contentTypes).filter((uid) => uid.startsWith("api::"));

/** Types that changed, or contain components, which may have changed. */
const changedTypes = (old: Snapshot, next: Snapshot): readonly string[] => {
  const isSame = JSON.stringify(old.components) === JSON.stringify(next.components);
  return uidsOf(next).filter((uid) => {
    const type = next.contentTypes[uid];
    const holds = Object.values(type?.attributes ?? {}).some(
      ({ kind }) => kind === "component" || kind === "dynamiczone",
    );
    return JSON.stringify(type) !== JSON.stringify(old.contentTypes[uid]) || (holds && !isSame);
  });
};

const lastName = (place: string): string => place.slice(place.lastIndexOf(".") + 1);

const renamedBy = ({ renamed = {}, hinted = {} }: Snapshot): Renamed => ({
  names: new Map(Object.entries(renamed).map(([is, was]) => [was, lastName(is)])),
  values: new Map(
    Object.entries(hinted).map(([is, { renamedValues = {} }]) => [
      renamed[is] ?? is,
      Object.fromEntries(Object.entries(renamedValues).map(([to, from]) => [from, to])),
    ]),
  ),
});

export class Replay {
  readonly #database: Database;
  readonly #project: Project;
  readonly #migrations: string;
  readonly #samples: Samples;
  #snapshot = emptySnapshot;

  constructor(database: Database, project: Project) {
    this.#database = database;
    this.#project = project;
    this.#migrations = migrationsFolder(project.folder);
    this.#samples = new Samples(database);
  }

  /** Generates, and allows whatever is necessary, also what only the content asks for. */
  async #generate(from: string): Promise<{ name: string | undefined; flags: readonly string[] } | string> {
    const made = await this.#generateWith(from, []);
    if (typeof made === "string" || made.name === undefined) return made;
    const found = await countAll(this.#database, this.#migrations, [made.name], "en");
    const more = found.flatMap(({ stops = "" }) => flagsIn(stops));
    if (more.length === 0) return made;
    await this.#withdraw(made.name);
    return this.#generateWith(from, [...made.flags, ...more]);
  }

  async #generateWith(
    from: string,
    first: readonly string[],
  ): Promise<{ name: string | undefined; flags: readonly string[] } | string> {
    const project = { ...this.#project, from };
    const once = async (allow: readonly string[]) => {
      const { migration, diagnostics } = await generate(project, { allow }, { adds: true });
      const errors = diagnostics.filter(({ severity }) => severity === "error");
      return errors.length > 0
        ? `errors in schema files: ${errors[0]?.message}`
        : { name: migration?.name, flags: allow };
    };
    try {
      return await once(first);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const flags = flagsIn(error.message);
      if (flags.length === 0) return `refused: ${error.message}`;
      return await once([...first, ...flags]).catch((again: unknown) => `refused with all flags: ${message(again)}`);
    }
  }

  #header(name: string, file: "up.sql" | "down.sql"): readonly string[] {
    return lossesOf(readFileSync(path.join(this.#migrations, name, file), "utf8"));
  }

  #newest(): Snapshot {
    return readHistory(this.#migrations).at(-1)?.snapshot ?? emptySnapshot;
  }

  /** Undoes a failed migration that may be half done: its indexes are created after its transaction. */
  async #withdraw(name: string): Promise<void> {
    const { applied } = await migrationStatus(this.#database, this.#migrations);
    if (applied.some((each) => each.name === name)) await migrateDown(this.#database, this.#migrations);
    rmSync(path.join(this.#migrations, name), { recursive: true });
  }

  /** The schema of the database, now or once the failed migration is complete. */
  async #reached(): Promise<Snapshot> {
    const last = (await migrationStatus(this.#database, this.#migrations)).applied.at(-1)?.name;
    return readHistory(this.#migrations).find(({ name }) => name === last)?.snapshot ?? emptySnapshot;
  }

  /**
   * If duplicates block a unique index, removes them, as the message suggests, and continues; returns their columns.
   */
  async #withoutDuplicates(
    work: () => Promise<unknown>,
    destinations: () => Promise<readonly Snapshot[]>,
  ): Promise<readonly string[]> {
    const emptied: string[] = [];
    for (;;) {
      try {
        await work();
        return emptied;
      } catch (error) {
        if (!message(error).includes("could not create unique index")) throw error;
        const found: string[] = [];
        // The table of an earlier migration may have another name by now.
        for (const each of await destinations())
          found.push(...(await removeDuplicates(this.#database, each).catch(() => [])));
        if (found.length === 0) throw error;
        emptied.push(...found);
      }
    }
  }

  #migrate(): Promise<readonly string[]> {
    return this.#withoutDuplicates(
      () => migrate(this.#database, this.#migrations),
      async () => [await this.#reached()],
    );
  }

  /** Empties what migrations would stop at, according to what they say before they run. */
  async #makeRoom(names: readonly string[], way: "up" | "down"): Promise<readonly string[]> {
    const found = await countAll(this.#database, this.#migrations, names, "en", way);
    return makeRoom(this.#database, await this.#reached(), found);
  }

  /** Migrates to the schema files in `from`, compares every value, and adds documents of new types. */
  async step(from: string): Promise<Step> {
    const generated = await this.#generate(from);
    if (typeof generated === "string") return { ...none, problem: generated };
    const { name, flags } = generated;
    if (name === undefined) return none;
    const emptied = [...(await this.#makeRoom([name], "up"))];
    const before = await readContent(this.#database, this.#snapshot);
    try {
      emptied.push(...(await this.#migrate()));
    } catch (error) {
      await this.#withdraw(name);
      return { ...none, flags, problem: `does not migrate: ${message(error)}` };
    }
    const next = this.#newest();
    const losses = this.#header(name, "up.sql");
    const after = await readContent(this.#database, next);
    const compared = compare(before, after, [...losses, ...emptied], renamedBy(next));
    const untrue = losses.filter((loss) => isKept(loss, before, after));
    const drift = await findDrift(this.#database, next);
    await this.#samples.add(next, changedTypes(this.#snapshot, next));
    this.#snapshot = next;
    return { ...compared, migration: name, flags, losses, emptied, untrue, drift };
  }

  /** Undoes migrations: the last, or all after `to`, when what they say that they would stop at is out of the way. */
  async #down(names: readonly string[], to?: string): Promise<Pick<Back, "emptied" | "stopped">> {
    const emptied = [...(await this.#makeRoom(names, "down"))];
    try {
      const without = await this.#withoutDuplicates(
        () => migrateDown(this.#database, this.#migrations, to === undefined ? {} : { to }),
        async () => readHistory(this.#migrations).map(({ snapshot }) => snapshot),
      );
      return { emptied: [...emptied, ...without], stopped: [] };
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      return { emptied, stopped: [error.message] };
    }
  }

  /** Down to the first migration and up again: one step after the other, then all at once. */
  async thereAndBack(): Promise<Back> {
    const history = readHistory(this.#migrations);
    const [first, ...others] = history;
    const names = others.map(({ name }) => name).toReversed();
    const before = await readContent(this.#database, this.#snapshot);
    const losses = others.flatMap(({ name }) => [...this.#header(name, "down.sql"), ...this.#header(name, "up.sql")]);
    const began = performance.now();
    const emptied: string[] = [];
    const stopped: string[] = [];
    const drift: string[] = [];
    const note = (down: Pick<Back, "emptied" | "stopped">): void => {
      emptied.push(...down.emptied);
      stopped.push(...down.stopped);
    };
    for (const name of names) if (stopped.length === 0) note(await this.#down([name]));
    drift.push(...(await findDrift(this.#database, await this.#reached())));
    emptied.push(...(await this.#migrate()));
    if (first && names.length > 0) note(await this.#down(names, first.name));
    drift.push(...(await findDrift(this.#database, await this.#reached())));
    emptied.push(...(await this.#migrate()));
    drift.push(...(await findDrift(this.#database, this.#snapshot)));
    const after = await readContent(this.#database, this.#snapshot);
    return {
      ...compare(before, after, [...losses, ...emptied], nothingRenamed),
      emptied,
      drift,
      milliseconds: performance.now() - began,
      downs: names.length,
      stopped,
    };
  }
}
