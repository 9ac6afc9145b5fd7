/** How the tables of a Strapi database are read, whichever it is kept in. */
export type SourceRow = Readonly<Record<string, unknown>>;

/**
 * The tables of a database. Values are those that an export has: instants as ISO texts, long integers as texts, JSON as
 * what it says.
 */
export interface SourceTables {
  /** The columns of a table in their order; undefined where there is no such table. */
  columns(table: string): readonly string[] | undefined;
  /** The first rows after an id, in the order of ids. */
  page(table: string, after: number, limit: number): Promise<readonly SourceRow[]>;
  /** The rows with one of `keys` in a column, in the order of ids. */
  having(table: string, column: string, keys: readonly (number | string)[]): Promise<readonly SourceRow[]>;
}

/** What a text of JSON says; what is none stays as it is. */
export const jsonOf = (text: unknown): unknown => {
  try {
    return typeof text === "string" ? JSON.parse(text) : text;
  } catch {
    return text;
  }
};

/** A database that was opened to be read. */
export interface OpenedSource {
  readonly tables: SourceTables;
  close(): Promise<void>;
}
