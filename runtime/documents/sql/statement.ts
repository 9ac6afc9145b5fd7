/** Statements whose text is made once per table and purpose; values are bound by name. */
import { is, Placeholder, type SQL } from "drizzle-orm";
import { type PgTable, PgDialect } from "drizzle-orm/pg-core";
import { LRUCache } from "lru-cache";
import type { Parameter, Row, Session } from "../../database/database.ts";

export interface Statement {
  readonly text: string;
  /** Names of the values, in the order of `$1`, `$2`, ... */
  readonly names: readonly string[];
}

export type Values = Readonly<Record<string, Parameter>>;

/** A statement with the values of one run. */
export interface Bound {
  readonly statement: Statement;
  readonly values: Values;
}

const dialect = new PgDialect();

const compile = (query: SQL): Statement => {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const names = params.map((parameter) => {
    if (!is(parameter, Placeholder)) throw new Error("A statement holds a value in its text");
    return parameter.name;
  });
  return { text, names };
};

/** Texts kept per table. Some depend on which attributes a body names, so that clients could make any number of them. */
const TEXTS = 1000;

const statements = new WeakMap<PgTable, LRUCache<string, Statement>>();

/** The statement of `table` under `key`, made by `query` when it is first asked for. */
export const statementOf = (table: PgTable, key: string, query: () => SQL): Statement => {
  let known = statements.get(table);
  if (!known) statements.set(table, (known = new LRUCache({ max: TEXTS })));
  let statement = known.get(key);
  if (!statement) known.set(key, (statement = compile(query())));
  return statement;
};

/** Sends a statement; it is not awaited here, so that several can be on their way at once. */
export const send = (session: Session, { statement: { text, names }, values }: Bound): Promise<readonly Row[]> =>
  session.rows(
    text,
    names.map((name) => {
      const value = values[name];
      if (value === undefined) throw new Error(`No value for ${name}`);
      return value;
    }),
  );

/** Sends statements in order without waiting for one another; rejects with the first failure once all have ended. */
export const sendAll = async (session: Session, batch: readonly Bound[]): Promise<readonly (readonly Row[])[]> => {
  const results = await Promise.allSettled(batch.map((bound) => send(session, bound)));
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
};
