/** Applies and undoes migrations, in one process at a time. */
import { didYouMean } from "../../base/did-you-mean.ts";
import { SEARCH_FUNCTIONS } from "../../search/functions.ts";
import type { Database, Session } from "../database.ts";
import { adopt, type OnAdopt, refuseUnadopted, replacedNames } from "./adoption.ts";
import { APPEND_ONLY } from "./append-only.ts";
import { ENTRY_FUNCTIONS } from "./entry-functions.ts";
import { type Migration, readMigrations } from "./files.ts";
import { type Applied, createRecord, MigrationError, readApplied } from "./record.ts";
import { applyOne, discardLeftovers, type StepOptions, type Undoable, undoOne, undoTogether } from "./steps.ts";

export { MigrationError };

/** Creates what the migrations to run, full-text searches, and append-only tables call. */
const createFunctions = async (session: Session, folder: string, chosen: readonly unknown[]): Promise<void> => {
  if (chosen.length > 0) await session.script(ENTRY_FUNCTIONS);
  const isCalled = (call: string): boolean => readMigrations(folder).some(({ up }) => up.includes(call));
  if (isCalled("galley_words(")) await session.script(SEARCH_FUNCTIONS);
  if (isCalled("galley_append_only(")) await session.script(APPEND_ONLY);
};

export interface MigrationStatus {
  /** Applied migrations, in the order in which they were applied. */
  readonly applied: readonly Applied[];
  /** Migrations that are not applied or not finished, in the order in which they would run. */
  readonly pending: readonly Migration[];
  /** Names of applied migrations without files that no other migration replaces. */
  readonly unknown: readonly string[];
  /** Names of applied migrations whose `up.sql` has changed since. */
  readonly edited: readonly string[];
}

/** Compares a folder of migrations with the record of the database. Changes nothing. */
export const migrationStatus = async (session: Session, folder: string): Promise<MigrationStatus> => {
  const migrations = readMigrations(folder);
  const applied = await readApplied(session);
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const finished = new Set(applied.filter((each) => each.finished).map(({ name }) => name));
  const replaced = replacedNames(migrations);
  return {
    applied,
    pending: migrations.filter(({ name }) => !finished.has(name)),
    unknown: applied.map(({ name }) => name).filter((name) => !known.has(name) && !replaced.has(name)),
    edited: applied
      .filter(({ name, checksum }) => known.has(name) && known.get(name)?.checksum !== checksum)
      .map(({ name }) => name),
  };
};

export interface MigrateOptions extends StepOptions {
  /** The last migration to apply; all by default. */
  readonly to?: string;
  readonly onAdopt?: OnAdopt;
  /** Called with the status before anything runs; may throw to stop. */
  readonly before?: (session: Session, status: MigrationStatus) => Promise<void>;
}

/** The key of the advisory lock; any number that nobody else uses. */
const LOCK = "7235193450142";

/** Runs `work` under the lock. Other processes wait, and then find nothing left to do. */
const alone = <Result>(database: Database, work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.exclusively(async (session) => {
    await session.rows(`select pg_advisory_lock(${LOCK})`);
    try {
      return await work(session);
    } finally {
      await session.rows(`select pg_advisory_unlock(${LOCK})`);
    }
  });

const refuseEdited = ({ edited, unknown }: MigrationStatus): void => {
  if (edited.length > 0) {
    throw new MigrationError(
      `changed after they were applied here: ${edited.join(", ")}. Restore the files; ` +
        "what they should do differently belongs in a new migration (`cms migrate new <name>`).",
    );
  }
  if (unknown.length > 0) {
    throw new MigrationError(
      `applied here, but not among the files: ${unknown.join(", ")}. They come from another branch or were removed: ` +
        "bring the files back, or undo them with `cms migrate down` where the files are. With a database for " +
        "development `cms dev` does that; one whose content is not needed begins anew with `cms migrate reset`.",
    );
  }
};

/** The pending migrations up to `to`, or all of them. */
export const pendingUpTo = (
  { pending }: MigrationStatus,
  migrations: readonly Migration[],
  to: string | undefined,
): readonly Migration[] => {
  if (to === undefined) return pending;
  const names = migrations.map(({ name }) => name);
  if (!names.includes(to)) throw new MigrationError(`there is no migration "${to}".${didYouMean(to, names)}`);
  return pending.filter(({ name }) => name <= to);
};

/** Applies the pending migrations in order. Returns the names of those that it applied. */
export const migrate = (database: Database, folder: string, options: MigrateOptions = {}): Promise<readonly string[]> =>
  alone(database, async (session) => {
    await createRecord(session);
    await adopt(session, readMigrations(folder), options.onAdopt);
    const status = await migrationStatus(session, folder);
    refuseEdited(status);
    const half = status.applied.find(({ undoing }) => undoing);
    if (half)
      throw new MigrationError(`${half.name} is half undone: run \`cms migrate down\` again to finish that first.`);
    await options.before?.(session, status);
    const { to } = options;
    const chosen = pendingUpTo(status, readMigrations(folder), to);
    await discardLeftovers(session, chosen[0]?.up ?? "");
    await createFunctions(session, folder, chosen);
    for (const migration of chosen) {
      const started = status.applied.find(({ name }) => name === migration.name);
      await applyOne(session, migration, started, options);
    }
    return chosen.map(({ name }) => name);
  });

export interface DownOptions extends MigrateOptions {
  /** How many migrations to undo, counted from the last applied one; one by default. */
  readonly count?: number;
  /** Called with the migrations to undo, in that order, before anything runs. May throw to stop. */
  readonly beforeUndo?: (session: Session, migrations: readonly Migration[]) => Promise<void>;
}

/** The migrations to undo, last applied first: the last `count`, or all that were applied after `to`. */
export const appliedAfter = (
  { applied }: MigrationStatus,
  migrations: readonly Migration[],
  { to, count = 1 }: Pick<DownOptions, "to" | "count">,
): readonly Migration[] => {
  const last = applied.map(({ name }) => name).reverse();
  if (to !== undefined && !last.includes(to)) {
    throw new MigrationError(`no migration "${to}" is applied here.${didYouMean(to, last)}`);
  }
  const names = to === undefined ? last.slice(0, count) : last.slice(0, last.indexOf(to));
  const files = new Map(migrations.map((migration) => [migration.name, migration]));
  return names.flatMap((name) => files.get(name) ?? []);
};

/**
 * Undoes the migrations that were applied last, or all that were applied after `to`: several in one transaction, all or
 * none. Returns their names.
 */
export const migrateDown = (
  database: Database,
  folder: string,
  options: DownOptions = {},
): Promise<readonly string[]> =>
  alone(database, async (session) => {
    const status = await migrationStatus(session, folder);
    refuseEdited(status);
    refuseUnadopted(status.applied, readMigrations(folder));
    const chosen = appliedAfter(status, readMigrations(folder), options);
    const demandDown = ({ name, down }: Migration): Undoable => {
      if (down === undefined) throw new MigrationError(`${name} has no down.sql: there is no way back from it`);
      return { name, down, applied: status.applied.find((each) => each.name === name) };
    };
    await options.beforeUndo?.(session, chosen);
    const undoable = chosen.map(demandDown);
    await discardLeftovers(session, undoable.map(({ down }) => down).join("\n"));
    await createFunctions(session, folder, chosen);
    const [last, ...others] = undoable;
    if (last && others.length === 0) await undoOne(session, last, options);
    else if (last) await undoTogether(session, undoable, options);
    return chosen.map(({ name }) => name);
  });
