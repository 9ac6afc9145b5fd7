/** Builds statements with Drizzle, and runs them in a session, once or repeatedly. */
import { type GetColumnData, is, Placeholder, type SQLWrapper } from "drizzle-orm";
import { type PgColumn, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/pg-proxy";
import { LRUCache } from "lru-cache";
import type { Client, Parameter, Reader, Row } from "./database.ts";

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
