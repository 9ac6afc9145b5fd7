/** A level as it is planned: its statement is still to be built. */
import type { Level } from "../query.ts";
import type { Build, RowScope } from "../sql/scope.ts";
import type { RowLevel } from "./plan.ts";
import type { Selection } from "./selection.ts";

export interface PlannedLevel {
  readonly level: RowLevel;
  /** What the statement selects. */
  readonly selection: Selection;
}

/** Plans what is read of rows; `typed` ones say of which type they are. Whatever leads to rows of its own is given it. */
export type PlanRows = (build: Build, scope: RowScope, level: Level, typed?: boolean) => PlannedLevel;
