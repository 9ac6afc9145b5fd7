/** Applies migrations, one process at a time, and takes them back. */
import { didYouMean } from "../base/did-you-mean.ts";
import type { Database, Session } from "./database.ts";
import { ENTRY_FUNCTIONS } from "./entry-functions.ts";
import { faultOf } from "./fault.ts";
import { adopt, replacedNames, refuseUnadopted } from "./migration-adoption.ts";
import { MigrationError } from "./migration-error.ts";
import { migrationFailure } from "./migration-failure.ts";
import { type Migration, type Phases, readMigrations, splitPhases } from "./migration-files.ts";
import {
  type Applied,
  createRecord,
  readApplied,
  recordFinish,
  recordOutside,
  recordStart,
  recordUndoing,
  recordUndone,
} from "./migration-record.ts";

export { MigrationError };

export interface MigrationStatus {
  /** Applied, in that order. */
  readonly applied: readonly Applied[];
  /** Not applied yet or not finished, in the order in which they would run. */
  readonly pending: readonly Migration[];
  /** Applied here, and neither among the files nor part of one of them. */
  readonly unknown: readonly string[];
  /** Applied here, and changed since. */
  readonly edited: readonly string[];
}

/** How a folder of migrations and a database compare. Changes nothing. */
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

export interface MigrateOptions {
  /** The last migration to apply; without it all are. */
  readonly to?: string;
  /** Told of each migration before it runs. */
  readonly onStart?: (name: string) => void;
  /** Told when a statement waits for a lock that somebody holds. */
  readonly onWait?: (name: string, attempt: number) => void;
  /** Told of each migration that is taken for applied, because those that it was made of are. */
  readonly onAdopt?: (name: string, replaced: readonly string[]) => void;
  /** Called with the status before anything runs; may throw to stop. */
  readonly before?: (session: Session, status: MigrationStatus) => Promise<void>;
}

/** A number of our own for the advisory lock. */
const LOCK = "7235193450142";

const LOCK_TIMEOUT = "2s";
const ATTEMPTS = 30;
const LOCK_NOT_AVAILABLE = "55P03";

/** Others wait until the work is done; then they find nothing left to do. */
const alone = <Result>(database: Database, work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.exclusively(async (session) => {
    await session.rows(`select pg_advisory_lock(${LOCK})`);
    try {
      return await work(session);
    } finally {
      await session.rows(`select pg_advisory_unlock(${LOCK})`);
    }
  });

/** Runs work that gives up soon when a table is locked, so that the queue behind it can go on, and tries again. */
const withRetries = async (
  session: Session,
  name: string,
  sql: string,
  options: MigrateOptions,
  work: () => Promise<void>,
) => {
  await session.rows(`select set_config('lock_timeout', $1, false)`, [LOCK_TIMEOUT]);
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await work();
        return;
      } catch (error) {
        const fault = faultOf(error);
        if (fault?.code !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS)
          throw await migrationFailure(session, name, sql, error, hintFor(error));
        options.onWait?.(name, attempt);
        await new Promise((resolve) => setTimeout(resolve, Math.min(attempt * 100, 1000)));
      }
    }
  } finally {
    await session.rows(`select set_config('lock_timeout', '0', false)`).catch(() => {});
  }
};

const hintFor = (error: unknown): string =>
  faultOf(error)?.code === LOCK_NOT_AVAILABLE
    ? " Something holds a lock on the table for long: look at pg_stat_activity, and run the command again."
    : "";

/** An index that was not finished is in the way of itself: what drops it runs again before what builds it. */
const resumeAt = (statements: readonly string[], from: number): number => {
  const [before = "", next = ""] = [statements[from - 1], statements[from]];
  const dropped = /^drop index concurrently if exists ("(?:[^"]|"")+")$/.exec(before)?.[1];
  return dropped !== undefined && next.startsWith("create ") && next.includes(` ${dropped} `) ? from - 1 : from;
};

const runOutside = async (
  session: Session,
  name: string,
  statements: readonly string[],
  from: number,
  options: MigrateOptions,
  record: typeof recordOutside,
): Promise<void> => {
  const start = resumeAt(statements, from);
  for (const [index, statement] of statements.entries()) {
    if (index < start) continue;
    await withRetries(session, name, "", options, () => session.script(statement));
    await record(session, name, index + 1);
  }
};

/** What makes the transaction short: nothing that is there changes by it, so nothing is noted of it. */
const runBefore = async (
  session: Session,
  name: string,
  { before, inside }: Pick<Phases, "before" | "inside">,
  options: MigrateOptions,
) => {
  for (const statement of before) await withRetries(session, name, inside, options, () => session.script(statement));
};

/** What was made before the transaction of a migration that is not the next one any more. */
const discardLeftovers = async (session: Session, next: string): Promise<void> => {
  const found = await session.rows(
    String.raw`select tgname, tgrelid::regclass::text from pg_trigger where tgname like 'galley\_made\_%' and not tgisinternal`,
  );
  for (const [made, source] of found.map((row) => row.map(String))) {
    if (made === undefined || source === undefined || next.includes(made)) continue;
    await session.rows("select galley_discard($1::regclass, $2)", [source, made]);
  }
};

const applyOne = async (
  session: Session,
  migration: Migration,
  started: Applied | undefined,
  options: MigrateOptions,
): Promise<void> => {
  const { name, up, checksum } = migration;
  options.onStart?.(name);
  const { before, inside, outside } = splitPhases(up);
  if (!started) {
    await runBefore(session, name, { before, inside }, options);
    await withRetries(session, name, inside, options, () =>
      session.transaction(async (transaction) => {
        await transaction.script(inside);
        await recordStart(transaction, name, checksum);
        if (outside.length === 0) await recordFinish(transaction, name);
      }),
    );
  }
  if (outside.length === 0) return;
  await runOutside(session, name, outside, started?.outside ?? 0, options, recordOutside);
  await recordFinish(session, name);
};

const refuseEdited = ({ edited, unknown }: MigrationStatus): void => {
  if (edited.length > 0) {
    throw new MigrationError(
      `changed after they were applied here: ${edited.join(", ")}. Put the files back as they were; ` +
        "what they should do differently belongs in a new migration (`cms migrate new <name>`).",
    );
  }
  if (unknown.length > 0) {
    throw new MigrationError(
      `applied here, but not among the files: ${unknown.join(", ")}. They come from another branch or were removed: ` +
        "bring the files back, or undo them with `cms migrate down` where the files are. A database for development " +
        "whose content is not needed begins anew with `cms migrate reset`.",
    );
  }
};

/** What is pending up to the migration `to`, or all of it. */
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

/** Applies what is pending, in order. Returns the names of what it applied. */
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
    if (chosen.length > 0) await session.script(ENTRY_FUNCTIONS);
    for (const migration of chosen) {
      const started = status.applied.find(({ name }) => name === migration.name);
      await applyOne(session, migration, started, options);
    }
    return chosen.map(({ name }) => name);
  });

const undoOne = async (
  session: Session,
  { name, down }: Migration,
  applied: Applied | undefined,
  options: MigrateOptions,
): Promise<void> => {
  if (down === undefined) throw new MigrationError(`${name} has no down.sql: there is no way back from it`);
  options.onStart?.(name);
  const { before, inside, outside } = splitPhases(down);
  if (!applied?.undoing) {
    await runBefore(session, name, { before, inside }, options);
    await withRetries(session, name, inside, options, () =>
      session.transaction(async (transaction) => {
        await transaction.script(inside);
        await (outside.length === 0 ? recordUndone(transaction, name) : recordUndoing(transaction, name, 0));
      }),
    );
  }
  if (outside.length === 0) return;
  await runOutside(session, name, outside, applied?.undoing ? applied.outside : 0, options, recordUndoing);
  await recordUndone(session, name);
};

export interface DownOptions extends MigrateOptions {
  /** How many to undo, counted from the last applied; one by default. */
  readonly count?: number;
  /** Called with what would be undone, in that order, before anything runs; may throw to stop. */
  readonly beforeUndo?: (migrations: readonly Migration[]) => void;
}

/** What was applied last, or all that was applied after the migration `to`; the last first. */
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

/** Undoes the migrations that were applied last, or all that were applied after `to`. Returns their names. */
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
    options.beforeUndo?.(chosen);
    await discardLeftovers(session, chosen[0]?.down ?? "");
    if (chosen.length > 0) await session.script(ENTRY_FUNCTIONS);
    for (const migration of chosen) {
      const applied = status.applied.find(({ name }) => name === migration.name);
      await undoOne(session, migration, applied, options);
    }
    return chosen.map(({ name }) => name);
  });
