/** A level that is planned, while its statement is not yet built. */
import type { Level } from "../query.ts";
import type { Build, RowScope } from "../sql/scope.ts";
import type { RowLevel } from "./plan.ts";
import type { Selection } from "./selection.ts";

export interface PlannedLevel {
  readonly level: RowLevel;
  /** The columns that the statement selects. */
  readonly selection: Selection;
}

/** Plans the reading of rows; `typed` rows show their type. Passed to planners of members, which plan further rows. */
export type PlanRows = (build: Build, scope: RowScope, level: Level, typed?: boolean) => PlannedLevel;
