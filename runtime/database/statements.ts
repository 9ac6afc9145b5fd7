/** Statements that Drizzle builds and a session runs. */
import { drizzle } from "drizzle-orm/pg-proxy";
import type { Parameter, Row, Session, Value } from "./database.ts";

/** Builds statements, and runs none: `run` does. */
export const build = drizzle(() => {
  throw new Error("Statements run in a session, not through the builder.");
});

interface Statement {
  toSQL(): { sql: string; params: readonly unknown[] };
}

const parameter = (value: unknown): Parameter => {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  throw new TypeError(`A parameter of type ${typeof value} cannot be sent.`);
};

/** Runs a statement once. For statements of the hot path, take `toSQL()` once and keep it. */
export const run = (session: Session, statement: Statement): Promise<readonly Row[]> => {
  const { sql, params } = statement.toSQL();
  return session.rows(sql, params.map(parameter));
};

/** The text in a column that cannot be null. */
export const textOf = (value: Value | undefined): string => {
  if (typeof value !== "string") throw new TypeError(`Expected text from the database, got ${typeof value}.`);
  return value;
};

/** The number in a column that cannot be null. */
export const numberOf = (value: Value | undefined): number => {
  if (typeof value !== "number") throw new TypeError(`Expected a number from the database, got ${typeof value}.`);
  return value;
};

/** The instant in a `timestamp` column. */
export const instantOf = (value: Value | undefined): Date | null =>
  typeof value === "string" ? new Date(`${value.replace(" ", "T")}Z`) : null;
