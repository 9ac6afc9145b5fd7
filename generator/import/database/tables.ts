import { parseJson } from "../../base/json.ts";

/** Reads the tables of a Strapi database, whichever system stores it. */
export type SourceRow = Readonly<Record<string, unknown>>;

/**
 * The tables of a database. Values have the form of an export: timestamps as ISO texts, long integers as texts, JSON
 * parsed.
 */
export interface SourceTables {
  /** The columns of a table in order; undefined if there is no such table. */
  columns(table: string): readonly string[] | undefined;
  /** The first rows after an id, ordered by id. */
  page(table: string, after: number, limit: number): Promise<readonly SourceRow[]>;
  /** The rows with one of `keys` in a column, ordered by id. */
  having(table: string, column: string, keys: readonly (number | string)[]): Promise<readonly SourceRow[]>;
}

/** Parses a JSON text; returns an invalid one unchanged. */
export const jsonOf = (text: unknown): unknown => {
  const json = typeof text === "string" ? parseJson(text) : undefined;
  return json === undefined ? text : json;
};
