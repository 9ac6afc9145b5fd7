/** Statements: Drizzle builds them, and a session runs them, once or again and again. */
import { is, Placeholder, type SQLWrapper } from "drizzle-orm";
import { PgDialect, type PgTable } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/pg-proxy";
import { LRUCache } from "lru-cache";
import type { Parameter, Reader, Row } from "./database.ts";

/** Builds statements, and runs none. */
export const builder = drizzle(() => {
  throw new Error("Statements run in a session, not through the builder.");
});

const dialect = new PgDialect();

const parameter = (value: unknown): Parameter => {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  throw new TypeError(`A parameter of type ${typeof value} cannot be sent.`);
};

/** Runs a statement once, with the values that it holds. */
export const run = (session: Reader, query: SQLWrapper): Promise<readonly Row[]> => {
  const { sql, params } = dialect.sqlToQuery(query.getSQL());
  return session.rows(sql, params.map(parameter));
};

/** A text that never changes, so that it stays prepared. */
export interface Statement {
  readonly text: string;
  /** What `$1`, `$2`, ... stand for: the name of a value, or a number that is the same in every run. */
  readonly parameters: readonly (string | number)[];
}

/**
 * Takes the text of a statement, whose values are placeholders.
 *
 * @throws Error when it holds a value; but the limit of a subquery may be a number, which Drizzle sends beside the text
 */
export const compile = (query: SQLWrapper): Statement => {
  const { sql: text, params } = dialect.sqlToQuery(query.getSQL());
  const parameters = params.map((each) => {
    if (typeof each === "number") return each;
    if (!is(each, Placeholder)) throw new Error("A statement holds a value in its text");
    return each.name;
  });
  return { text, parameters };
};

/** Texts kept per table. Some depend on which attributes a body names, so that clients could make any number of them. */
const TEXTS = 1000;

/** A text depends on nothing but its table and key, whichever server sends it: so it is kept as long as the table is. */
const statements = new WeakMap<PgTable, LRUCache<string, Statement>>();

/** The statement of `table` under `key`, made by `query` when it is first asked for. */
export const statementOf = (table: PgTable, key: string, query: () => SQLWrapper): Statement => {
  let known = statements.get(table);
  if (!known) statements.set(table, (known = new LRUCache({ max: TEXTS })));
  let statement = known.get(key);
  if (!statement) known.set(key, (statement = compile(query())));
  return statement;
};

export type Values = Readonly<Record<string, Parameter>>;

/** A statement with the values of one run, by name. */
export interface Bound {
  readonly statement: Statement;
  readonly values: Values;
  /** Makes the statement that does the same for many, whose values are lists; left out where there is none. */
  readonly many?: (() => Statement) | undefined;
}

/** Sends a statement; it is not awaited here, so that several can be on their way at once. */
export const send = (session: Reader, { statement: { text, parameters }, values }: Bound): Promise<readonly Row[]> =>
  session.rows(
    text,
    parameters.map((each) => {
      const value = typeof each === "number" ? each : values[each];
      if (value === undefined) throw new Error(`No value for ${each}`);
      return value;
    }),
  );

/** Sends statements in order without waiting for one another; rejects with the first failure once all have ended. */
export const sendAll = async (session: Reader, batch: readonly Bound[]): Promise<readonly (readonly Row[])[]> => {
  const results = await Promise.allSettled(batch.map((bound) => send(session, bound)));
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
};
