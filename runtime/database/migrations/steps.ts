/** Runs the statements of one migration: before, inside and after its transaction. */
import type { Session } from "../database.ts";
import { faultOf } from "../fault.ts";
import { migrationFailure } from "./failure.ts";
import { type Migration, splitPhases } from "./files.ts";
import { type Applied, recordFinish, recordOutside, recordStart, recordUndoing, recordUndone } from "./record.ts";

/** Callbacks that report progress. */
export interface StepOptions {
  /** Called before each migration runs. */
  readonly onStart?: (name: string) => void;
  /** Called when a statement has to wait for a lock. */
  readonly onWait?: (name: string, attempt: number) => void;
  /** Called when a migration is complete; in its transaction, unless statements had to run after that. */
  readonly onEnd?: ((session: Session, name: string) => Promise<void>) | undefined;
}

const LOCK_TIMEOUT = "2s";
/**
 * Statements outside of the transaction (such as concurrent index builds) may wait for longer, since nothing queues
 * behind them; a build that times out starts again from the beginning.
 */
const LOCK_TIMEOUT_OUTSIDE = "20s";
const ATTEMPTS = 30;
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK = "40P01";

/** Whether a temporary conflict caused the error: a lock held by a writer or by PostgreSQL's own vacuum. */
const isInTheWay = (error: unknown): boolean => {
  const code = faultOf(error)?.code;
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK;
};

/** What runs, for messages about it. */
interface Running {
  name: string;
  /** Statements to search for the row at which they failed. */
  sql: string;
  readonly hint?: string;
}

/**
 * Runs work with a short lock timeout and repeats it on conflict. While it waits for a lock, all other statements on
 * that table queue behind it; giving up lets them continue.
 */
const withRetries = async (
  session: Session,
  running: Running,
  options: StepOptions,
  work: () => Promise<void>,
  timeout = LOCK_TIMEOUT,
) => {
  await session.rows(`select set_config('lock_timeout', $1, false)`, [timeout]);
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await work();
        return;
      } catch (error) {
        if (!isInTheWay(error) || attempt === ATTEMPTS)
          throw await migrationFailure(
            session,
            running.name,
            running.sql,
            error,
            hintFor(error) + (running.hint ?? ""),
          );
        options.onWait?.(running.name, attempt);
        await new Promise((resolve) => setTimeout(resolve, Math.min(attempt * 100, 1000)));
      }
    }
  } finally {
    await session.rows(`select set_config('lock_timeout', '0', false)`).catch(() => {});
  }
};

/** A statement that commits, or that cannot run in a transaction. */
const NO_TRANSACTION = new Set(["25001", "2D000"]);

const hintFor = (error: unknown): string => {
  const code = faultOf(error)?.code;
  if (code === LOCK_NOT_AVAILABLE)
    return " Something holds a lock on the table for long: look at pg_stat_activity, and run the command again.";
  return code !== undefined && NO_TRANSACTION.has(code)
    ? " It has to be undone by itself: `cms migrate down` undoes the last migration."
    : "";
};

/**
 * The index to resume at. A concurrent index build that failed leaves an invalid index behind, so the statement that
 * drops it has to run again before the one that builds it.
 */
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
  options: StepOptions,
  record: typeof recordOutside,
): Promise<void> => {
  for (let index = from; index < statements.length; index++) {
    const again = statements.slice(resumeAt(statements, index), index + 1);
    const work = async (): Promise<void> => {
      for (const statement of again) await session.script(statement);
    };
    await withRetries(session, { name, sql: "" }, options, work, LOCK_TIMEOUT_OUTSIDE);
    await record(session, name, index + 1);
  }
};

/** Removes tables, columns, triggers and functions that were prepared for another migration than the next one. */
export const discardLeftovers = async (session: Session, next: string): Promise<void> => {
  const found = await session.rows(
    String.raw`select proname::text, tgrelid::regclass::text from pg_trigger join pg_proc on pg_proc.oid = tgfoid where proname ~ '^galley_(made|next)_'`,
  );
  for (const [made, source] of found.map((row) => row.map(String))) {
    if (made === undefined || source === undefined || next.includes(made)) continue;
    const discard = made.startsWith("galley_next") ? "galley_leave" : "galley_discard";
    await session.rows(`select ${discard}($1::regclass, $2)`, [source, made]);
  }
  const functions = await session.rows(
    String.raw`select proname::text, oid::regprocedure::text from pg_proc where proname ~ '^galley_entry_' and pronamespace = current_schema()::regnamespace`,
  );
  for (const [name, signature] of functions.map((row) => row.map(String)))
    if (name !== undefined && !next.includes(name)) await session.script(`drop function ${signature}`);
};

/** One direction of a migration: its statements, and how the database records them. */
interface Way {
  readonly name: string;
  readonly sql: string;
  /** How many statements after the transaction have run; undefined if the transaction has not. */
  readonly done: number | undefined;
  /** Records the transaction, within it. */
  readonly recordInside: (session: Session) => Promise<void>;
  readonly recordOutside: typeof recordOutside;
  /** Records that nothing is left to do. */
  readonly recordEnd: typeof recordFinish;
}

/** Runs a migration, or the rest of it if it was interrupted after its transaction. */
const runWay = async (session: Session, way: Way, options: StepOptions): Promise<void> => {
  const { name, done } = way;
  const end = async (current: Session): Promise<void> => {
    await way.recordEnd(current, name);
    await options.onEnd?.(current, name);
  };
  options.onStart?.(name);
  const { before, inside, outside } = splitPhases(way.sql);
  const running = { name, sql: inside };
  if (done === undefined) {
    // These keep the transaction short. They change no existing data, so nothing is recorded: after a failure all of them
    // run again.
    for (const statement of before) await withRetries(session, running, options, () => session.script(statement));
    await withRetries(session, running, options, () =>
      session.transaction(async (transaction) => {
        await transaction.script(inside);
        await way.recordInside(transaction);
        if (outside.length === 0) await end(transaction);
      }),
    );
  }
  if (outside.length === 0) return;
  await runOutside(session, name, outside, done ?? 0, options, way.recordOutside);
  await end(session);
};

/** Applies one migration. */
export const applyOne = (
  session: Session,
  { name, up, checksum }: Migration,
  started: Applied | undefined,
  options: StepOptions,
): Promise<void> => {
  const recordInside = (transaction: Session): Promise<void> => recordStart(transaction, name, checksum);
  const records = { recordInside, recordOutside, recordEnd: recordFinish };
  return runWay(session, { name, sql: up, done: started?.outside, ...records }, options);
};

/** A migration that can be undone, and what the database has recorded of it. */
export interface Undoable {
  readonly name: string;
  readonly down: string;
  readonly applied: Applied | undefined;
}

/** Undoes one migration. */
export const undoOne = (session: Session, { name, down, applied }: Undoable, options: StepOptions): Promise<void> => {
  const done = applied?.undoing ? applied.outside : undefined;
  const recordInside = (transaction: Session): Promise<void> => recordUndoing(transaction, name, 0);
  const records = { recordInside, recordOutside: recordUndoing, recordEnd: recordUndone };
  return runWay(session, { name, sql: down, done, ...records }, options);
};

/** Statements for one transaction: batches are not committed by themselves, and indexes are built at once. */
const inTransaction = (statements: readonly string[]): readonly string[] =>
  statements.map((statement) =>
    statement.replace(/^((?:create(?: unique)?|drop) index) concurrently\b/i, "$1").replaceAll(/^\s*commit;$/gm, ""),
  );

/**
 * Undoes several migrations, the last one first: all of them or none. Whatever would run before a transaction or after it
 * runs in the one that they share, whose locks last until the end.
 */
export const undoTogether = async (
  session: Session,
  migrations: readonly Undoable[],
  options: StepOptions,
): Promise<void> => {
  const running = { name: "", sql: "", hint: " Nothing was undone." };
  const announced = new Set<string>();
  await withRetries(session, running, options, () =>
    session.transaction(async (transaction) => {
      for (const { name, down, applied } of migrations) {
        const { before, inside, outside } = splitPhases(down);
        Object.assign(running, { name, sql: inside });
        if (!announced.has(name)) options.onStart?.(name);
        announced.add(name);
        const first = applied?.undoing ? [] : [...inTransaction(before), inside];
        const rest = inTransaction(outside).slice(applied?.undoing ? applied.outside : 0);
        for (const statement of [...first, ...rest]) await transaction.script(statement);
        await recordUndone(transaction, name);
        await options.onEnd?.(transaction, name);
      }
    }),
  );
};
