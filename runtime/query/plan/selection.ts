/** The select list of one statement: every column once, by index. */
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

  /** The index of a column of the level's own table. */
  column(column: AnyPgColumn): number {
    let index = this.#indexes.get(column);
    if (index === undefined) {
      index = this.add(columnIn(column, this.#alias));
      this.#indexes.set(column, index);
    }
    return index;
  }

  /** The index of any other expression. */
  add(expression: AnyPgColumn | SQL): number {
    const index = this.#count;
    // Nested, so that columns inside keep their table in their name.
    this.fields[`c${index}`] =
      expression instanceof Object && "queryChunks" in expression ? sql`${expression}` : expression;
    this.#count += 1;
    return index;
  }
}
