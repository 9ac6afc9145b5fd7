/**
 * One interface over the embedded and the external PostgreSQL, and the statements that are built with Drizzle and run
 * on it, once or repeatedly.
 *
 * Values come back alike from both: `int2`, `int4`, `float4`, `float8` as numbers, `bool` as booleans, null as null,
 * and everything else (bigint, numeric, json, dates, timestamps, text, arrays) as the text that PostgreSQL prints.
 */
import { type GetColumnData, is, Placeholder, type SQLWrapper } from "drizzle-orm";
import { type PgColumn, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/pg-proxy";
import { LRUCache } from "lru-cache";
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

/** The text in a column that cannot be null. */
export const requiredText = (value: Value | undefined): string => {
  if (typeof value !== "string") throw new TypeError(`Expected text from the database, got ${typeof value}.`);
  return value;
};

/** The text in a column that an import may have left null; then the empty text. */
export const textOrNone = (value: Value | undefined): string => (typeof value === "string" ? value : "");

/** The number in a column that cannot be null. */
export const numberOf = (value: Value | undefined): number => {
  if (typeof value !== "number") throw new TypeError(`Expected a number from the database, got ${typeof value}.`);
  return value;
};

/** A Drizzle instance that only builds statements. */
export const builder = drizzle(() => {
  throw new Error("Statements run in a session, not through the builder.");
});

const dialect = new PgDialect();

const parameter = (value: unknown): Parameter => {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  throw new TypeError(`A parameter of type ${typeof value} cannot be sent.`);
};

/** Runs a statement once, with the values that it contains. */
export const run = (session: Reader, query: SQLWrapper): Promise<readonly Row[]> => {
  const { sql, params } = dialect.sqlToQuery(query.getSQL());
  return session.rows(sql, params.map(parameter));
};

/** Reads for a client that may disconnect before it gets a response. */
export const readerFor = (reader: Reader, client: Client | undefined): Reader =>
  client === undefined ? reader : { rows: (sql, parameters) => reader.rows(sql, parameters, client) };

/** Notifies the listeners of a channel, in all processes. */
export const notify = async (session: Reader, channel: string, text = ""): Promise<void> => {
  await session.rows("select pg_notify($1, $2)", [channel, text]);
};

/** The values of some columns, by name. */
export type Selected<Columns extends Record<string, PgColumn>> = {
  [Name in keyof Columns]: GetColumnData<Columns[Name]>;
};

/** Runs a query once that selects or returns these columns, and gives its rows as objects. */
export const selected = async <Columns extends Record<string, PgColumn>>(
  session: Reader,
  columns: Columns,
  query: SQLWrapper,
): Promise<Selected<Columns>[]> => {
  const named = Object.entries(columns);
  return (await run(session, query)).map(
    (row) =>
      Object.fromEntries(
        named.map(([name, column], index) => {
          const value = row[index] ?? null;
          return [name, value === null ? null : column.mapFromDriverValue(value)];
        }),
      ) as Selected<Columns>,
  );
};

/** A statement whose text never changes, so that it stays prepared. */
export interface Statement {
  readonly text: string;
  /** The values of `$1`, `$2`, ...: the name of a placeholder, or a number that is the same in every run. */
  readonly parameters: readonly (string | number)[];
}

/**
 * Compiles a statement whose values are placeholders.
 *
 * @throws Error when it contains a value. Only the limit of a subquery may be a number, which Drizzle sends as a
 *   parameter
 */
export const compile = (query: SQLWrapper): Statement => {
  const { sql: text, params } = dialect.sqlToQuery(query.getSQL());
  const parameters = params.map((each) => {
    if (typeof each === "number") return each;
    if (!is(each, Placeholder)) throw new Error("A statement contains a value in its text");
    return each.name;
  });
  return { text, parameters };
};

/**
 * Most texts kept per table. Some depend on which attributes a body names, so clients could create any number of them.
 */
const TEXTS = 1000;

/** Compiled statements by table and key. They depend on nothing else, so all servers in the process share them. */
const statements = new WeakMap<PgTable, LRUCache<string, Statement>>();

/** The compiled statement of `table` for `key`; `query` builds it at the first call. */
export const statementOf = (table: PgTable, key: string, query: () => SQLWrapper): Statement => {
  let known = statements.get(table);
  if (!known) statements.set(table, (known = new LRUCache({ max: TEXTS })));
  let statement = known.get(key);
  if (!statement) known.set(key, (statement = compile(query())));
  return statement;
};

export type Values = Readonly<Record<string, Parameter>>;

/** A compiled statement with the values for one run, by name. */
export interface Bound {
  readonly statement: Statement;
  readonly values: Values;
}

/** Sends a statement without waiting for the answer, so that several can be under way at once. */
export const send = (session: Reader, { statement: { text, parameters }, values }: Bound): Promise<readonly Row[]> =>
  session.rows(
    text,
    parameters.map((each) => {
      const value = typeof each === "number" ? each : values[each];
      if (value === undefined) throw new Error(`No value for ${each}`);
      return value;
    }),
  );

/**
 * Sends statements in order without waiting in between. When all have ended, rejects with the first failure if any
 * failed.
 */
export const sendAll = async (session: Reader, batch: readonly Bound[]): Promise<readonly (readonly Row[])[]> => {
  const results = await Promise.allSettled(batch.map((bound) => send(session, bound)));
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
};
