/** Statements: text that never changes, and the list of parameters that one run of it takes. */
import { is, Placeholder, type SQL, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/pg-core";
import type { Parameter, Row, Reader } from "../../database/database.ts";
import type { Slot } from "../query.ts";

/** Values that one statement takes besides those of the query. */
export interface Inputs {
  readonly keys?: readonly string[] | readonly number[];
  readonly locales?: readonly string[];
  readonly documentId?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** What every statement of one request is bound to. */
export interface Bindings {
  readonly parameters: readonly Parameter[];
  readonly defaultLocale: string;
}

export interface Statement {
  readonly text: string;
  run(session: Reader, bindings: Bindings, inputs?: Inputs): Promise<readonly Row[]>;
}

type Getter = (bindings: Bindings, inputs: Inputs) => Parameter;

export const builder = new QueryBuilder();

/** A value of the query. */
export const slot = (index: Slot): SQL => sql`${sql.placeholder(`value:${index}`)}`;

/** A value that is known when the statement runs. */
export const input = (name: keyof Inputs | "defaultLocale"): SQL => sql`${sql.placeholder(name)}`;

const getter = (parameter: unknown): Getter => {
  // The limit of a subquery: Drizzle sends it beside the text.
  if (typeof parameter === "number") return () => parameter;
  if (!is(parameter, Placeholder)) throw new Error("A statement holds a value in its text");
  const { name } = parameter;
  if (name.startsWith("value:")) {
    const index = Number(name.slice("value:".length));
    return ({ parameters }) => parameters[index] ?? null;
  }
  switch (name) {
    case "defaultLocale":
      return ({ defaultLocale }) => defaultLocale;
    case "keys":
      return (_, { keys }) => keys ?? [];
    case "locales":
      return (_, { locales }) => locales ?? [];
    case "documentId":
      return (_, { documentId }) => documentId ?? null;
    case "limit":
      return (_, { limit }) => limit ?? null;
    case "offset":
      return (_, { offset }) => offset ?? null;
    default:
      throw new Error(`Unknown placeholder ${name}`);
  }
};

const NOTHING: Inputs = {};

/** Takes the text of a query once. */
export const compile = (query: { toSQL(): { sql: string; params: unknown[] } }): Statement => {
  const { sql: text, params } = query.toSQL();
  const getters = params.map(getter);
  return {
    text,
    run: (session, bindings, inputs = NOTHING) =>
      session.rows(
        text,
        getters.map((get) => get(bindings, inputs)),
      ),
  };
};
