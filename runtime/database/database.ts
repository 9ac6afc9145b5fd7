/**
 * One interface over the embedded and the external PostgreSQL.
 *
 * Values come back alike from both: `int2`, `int4`, `float4`, `float8` as numbers, `bool` as booleans, null as null,
 * and everything else (bigint, numeric, json, dates, timestamps, text, arrays) as the text that PostgreSQL prints.
 */
export type Value = string | number | boolean | null;
export type Row = readonly Value[];

/** A parameter as the driver takes it; arrays are for `= any($1::int[])`. Objects are stringified by the caller. */
export type Parameter = Value | readonly string[] | readonly number[];

/** Something that takes statements: the pool, or one transaction. */
export interface Session {
  /**
   * Runs one statement with `$1`-style parameters and returns its rows as arrays, in the order of the select list.
   * The text is prepared once per connection, so it must not contain values.
   */
  rows(sql: string, parameters?: readonly Parameter[]): Promise<readonly Row[]>;
}

export interface Database extends Session {
  readonly kind: "pglite" | "postgres";
  /** Runs `work` in one transaction (read committed) and commits when it resolves; rolls back when it throws. */
  transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Runs several statements that need no parameters, such as a migration; each `session` sees its own effects. */
  script(sql: string): Promise<void>;
  /** Listens for `NOTIFY channel`; the returned function stops. `undefined` where the database cannot. */
  listen(channel: string, receive: (payload: string) => void): Promise<() => Promise<void>>;
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
