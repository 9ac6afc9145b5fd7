import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
/** State for planning one level: what its statement selects, and which further reads it needs. */
import { type Condition, type Level, partsOf, type Shape } from "../query.ts";
import { type RowScope, columnIn } from "../sql/scope.ts";
import type { RowLevel } from "./plan.ts";

interface PlannedLevel {
  readonly level: RowLevel;
  /** The columns that the statement selects. */
  readonly selection: Selection;
}

/**
 * Plans the reading of rows; `typed` rows show their type. Passed to the planners of members, which plan further rows.
 */
export type PlanRows = (scope: RowScope, level: Level, typed?: boolean) => PlannedLevel;

/**
 * One step on the path from a row into its components: the attribute, at the first step its column, and in a zone the
 * component.
 */
export interface PathStep {
  readonly name: string;
  readonly column: AnyPgColumn | undefined;
  readonly list: boolean;
  readonly component: string | undefined;
}

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

/** How many times the condition goes through a relation to many documents, or the entries of a dynamic zone. */
const manyIn = (condition: Condition): number =>
  partsOf(condition).reduce(
    (sum, part) => sum + manyIn(part),
    condition.kind === "zone" || (condition.kind === "related" && condition.many === true) ? 1 : 0,
  );

/** Whether a list sorts through a relation to many documents, or filters through several. */
export const isEstimated = ({ filters, sort }: Pick<Shape, "filters" | "sort">): boolean =>
  sort.some(({ path }) => path.some(({ many }) => many === true)) || (filters !== undefined && manyIn(filters) > 1);
