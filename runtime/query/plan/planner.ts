/** State for planning one level. */
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { TypeOwner } from "../schema.ts";
import type { Build, RowScope } from "../sql/scope.ts";
import type { GroupPlanner } from "./groups.ts";
import type { JoinPlan, LinkPlan } from "./plan.ts";
import type { PlanRows } from "./planned.ts";
import type { Selection } from "./selection.ts";

export interface LevelPlanner {
  readonly build: Build;
  readonly owner: TypeOwner;
  readonly scope: RowScope;
  readonly selection: Selection;
  readonly groups: GroupPlanner;
  readonly joins: JoinPlan[];
  readonly links: LinkPlan[];
  /** Plans the levels below. */
  readonly planRows: PlanRows;
}

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
