/** The select list of one statement; each column appears once. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { columnIn } from "../sql/scope.ts";

export class Selection {
  readonly fields: Record<string, AnyPgColumn | SQL> = {};
  readonly #alias: string;
  readonly #indexes = new Map<AnyPgColumn, number>();
  #count = 0;

  constructor(alias: string) {
    this.#alias = alias;
  }

  /** The columns of the level's own table that are selected, in the order of their indexes. */
  get columns(): readonly AnyPgColumn[] {
    return [...this.#indexes.keys()];
  }

  /** The index of a column of the level's own table; added if it is missing. */
  column(column: AnyPgColumn): number {
    let index = this.#indexes.get(column);
    if (index === undefined) {
      index = this.add(columnIn(column, this.#alias));
      this.#indexes.set(column, index);
    }
    return index;
  }

  /** The index of another expression, which is added. */
  add(expression: AnyPgColumn | SQL): number {
    const index = this.#count;
    // Wrapped in another `sql`, so that Drizzle keeps the table name in column references.
    this.fields[`c${index}`] =
      expression instanceof Object && "queryChunks" in expression ? sql`${expression}` : expression;
    this.#count += 1;
    return index;
  }
}
