/**
 * One interface over the embedded and the external PostgreSQL.
 *
 * Values come back alike from both: `int2`, `int4`, `float4`, `float8` as numbers, `bool` as booleans, null as null,
 * and everything else (bigint, numeric, json, dates, timestamps, text, arrays) as the text that PostgreSQL prints.
 */
import type { State } from "./states.ts";

export type Value = string | number | boolean | null;
export type Row = readonly Value[];

/** A parameter as the driver takes it; arrays are for `= any($1::int[])`. Objects are stringified by the caller. */
export type Parameter = Value | readonly Value[];

/** Somebody for whom something is read. */
export interface Asker {
  /** Nobody waits for the answer any more. */
  readonly isGone: boolean;
}

/** Something that takes statements: the pool, or one transaction. */
export interface Session {
  /**
   * Runs one statement with `$1`-style parameters and returns its rows as arrays, in the order of the select list.
   * A text that comes again is kept prepared, so it must not contain values.
   *
   * @param asker for whom it only reads; outside of transactions a statement whose asker is gone is ended, or not begun
   * @throws AbandonedError in that case
   */
  rows(sql: string, parameters?: readonly Parameter[], asker?: Asker): Promise<readonly Row[]>;
  /** Runs several statements without parameters, such as a migration. Outside a transaction each commits by itself. */
  script(sql: string): Promise<void>;
  /**
   * Runs `work` in one transaction (read committed) and commits when it resolves; rolls back when it throws.
   * Inside, use the session that `work` is given: the embedded database has one connection, so a statement through the
   * database itself would wait for the end of the transaction. On the session of a transaction, `work` becomes part of it.
   */
  transaction<Result>(work: (session: Transaction) => Promise<Result>): Promise<Result>;
}

export interface Transaction extends Session {
  /**
   * Sends the last statements, and the commit behind them without waiting for what they answer: a round trip less, for
   * which other writers would wait too. `send` has to send all of them before it waits for anything; afterwards the
   * session takes no more. When one of them fails, PostgreSQL makes the commit a rollback. Nothing else that `send`
   * finds wrong can undo them, so that whatever may do that has to be known before.
   */
  last<Result>(send: () => Promise<Result>): Promise<Result>;
}

/** What a connection takes. */
export type Statements = Pick<Session, "rows" | "script">;

/** Something that only answers questions. */
export type Reader = Pick<Session, "rows">;

/** Reads for somebody who may leave before there is an answer. */
export const readerFor = (reader: Reader, asker: Asker | undefined): Reader =>
  asker === undefined ? reader : { rows: (sql, parameters) => reader.rows(sql, parameters, asker) };

export interface Database extends Session {
  readonly kind: "pglite" | "postgres";
  /**
   * Takes what requests read that write nothing: replicas, which may be a little behind. Undefined where there are
   * none, and this database answers itself. A request takes it once, and uses what it got.
   */
  readonly reader?: Reader;
  /**
   * The state that everything is in which was committed before the call, and which reads after it find unless more was
   * committed; undefined, as the member itself, where that cannot be told.
   */
  state?(): Promise<State | undefined>;
  /** Runs `work` on one connection that nobody else uses meanwhile, outside a transaction: for session-wide locks. */
  exclusively<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /**
   * Calls `receive` with the payload of each `NOTIFY channel`, until the returned function is called; without one when
   * the connection had been lost, and some may have been missed.
   */
  listen(channel: string, receive: (payload?: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** What is known of a statement that PostgreSQL refused. */
export interface DatabaseFault {
  /** SQLSTATE, such as 23505 for a unique violation. */
  readonly code: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly column?: string;
  readonly detail?: string;
}
