/**
 * One interface over the embedded and the external PostgreSQL.
 *
 * Values come back alike from both: `int2`, `int4`, `float4`, `float8` as numbers, `bool` as booleans, null as null,
 * and everything else (bigint, numeric, json, dates, timestamps, text, arrays) as the text that PostgreSQL prints.
 */
import type { DatabaseSnapshot } from "./snapshots.ts";

export type Value = string | number | boolean | null;
export type Row = readonly Value[];

/** A parameter as the driver takes it; arrays are for `= any($1::int[])`. Objects are stringified by the caller. */
export type Parameter = Value | readonly Value[];

/** A request whose statements are counted. */
export interface ObservedRequest {
  /** The value of `X-Request-Id`. */
  readonly id: string;
  /** The pattern of the route, such as `/api/articles/:documentId`; undefined where no route handles the request. */
  readonly route?: string | undefined;
  /** How many statements have run for it. */
  statements: number;
}

/** The client that a statement reads for; any AbortSignal is one. */
export interface Client {
  /** Whether the client no longer waits for an answer. */
  readonly aborted: boolean;
  /** Its deadline, as `performance.now()` counts; work that takes longer fails with a 503. */
  readonly deadline?: number;
  /** Identifies it, such as its address: each client gets at most a share of the connections. */
  readonly keys?: readonly string[];
  /** Its request, for the log. */
  readonly request?: ObservedRequest | undefined;
}

/** Runs statements: the pool, or one transaction. */
export interface Session {
  /**
   * Runs one statement with `$1`-style parameters and returns its rows as arrays, in the order of the select list.
   * Statements that are repeated are kept prepared under their text, so put values into parameters and not into the
   * text.
   *
   * @param client the client for which the statement only reads. Outside of transactions, a statement whose client has
   *   gone is cancelled, or not sent
   * @throws AbandonedError in that case
   */
  rows(sql: string, parameters?: readonly Parameter[], client?: Client): Promise<readonly Row[]>;
  /** Runs several statements without parameters, such as a migration. Outside a transaction each commits by itself. */
  script(sql: string): Promise<void>;
  /**
   * Runs `work` in one transaction (read committed) and commits when it resolves; rolls back when it throws. Use the
   * session that `work` is given: the embedded database has one connection, so a statement through the database itself
   * would wait for the end of the transaction. Called on the session of a transaction, it runs `work` as part of that.
   */
  transaction<Result>(work: (session: Transaction) => Promise<Result>, beginning?: Beginning): Promise<Result>;
}

/** What is known about the first statements of a transaction. */
export interface Beginning {
  /**
   * Whether statements that begin with `select` change nothing, so that they may be sent together with the begin of the
   * transaction, which saves a round trip. If the begin fails, they have run outside of a transaction.
   */
  readonly readsFirst?: boolean;
  /** The client that it writes for: once begun, the transaction continues even if the client disconnects. */
  readonly client?: Client | undefined;
}

export interface Transaction extends Session {
  /**
   * Sends the last statements of the transaction and the commit right after them, without waiting for the statements'
   * results. That saves a round trip, during which other writers would wait for our locks. `send` must send all its
   * statements before it waits for any; afterwards the session accepts no more. If a statement fails, PostgreSQL rolls
   * back instead. Other errors that `send` finds cannot undo the statements, so check everything else before.
   */
  last<Result>(send: () => Promise<Result>): Promise<Result>;
}

/** What a single connection can run. */
export type Statements = Pick<Session, "rows" | "script">;

/** A session that only reads. */
export type Reader = Pick<Session, "rows">;

export interface Database extends Session {
  readonly kind: "pglite" | "postgres";
  /**
   * For reads of requests that write nothing: goes to a replica, which may lag a little behind. Undefined if there are
   * no replicas. Each access may return another replica, so take it once per request and keep using it.
   */
  readonly reader?: Reader;
  /**
   * The current snapshot of the database: everything committed before the call is part of it. If a later read happens in
   * the same snapshot, nothing has been committed in between. The result or the method itself is undefined where
   * snapshots cannot be determined.
   */
  snapshot?(): Promise<DatabaseSnapshot | undefined>;
  /** Runs `work` on one connection that nobody else uses meanwhile, outside a transaction: for session-wide locks. */
  exclusively<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /**
   * Calls `receive` with the payload of each `NOTIFY channel` until the returned function is called. Calls it without a
   * payload after a lost connection, when notifications may have been missed, and about every ten seconds if a pooler
   * drops them.
   */
  listen(channel: string, receive: (payload?: string) => void): Promise<() => Promise<void>>;
  /** How many connections are open and busy, and how much work waits for one; undefined if there is no pool. */
  load?(): PoolLoad;
  close(): Promise<void>;
}

export interface PoolLoad {
  readonly open: number;
  readonly busy: number;
  readonly waiting: number;
}

/** Details of a statement that PostgreSQL refused. */
export interface DatabaseFault {
  /** SQLSTATE, such as 23505 for a unique violation. */
  readonly code: string;
  readonly constraint?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly detail?: string | undefined;
}
