/** Reads by key: documents and files whose keys stand in rows that were read before. */
import { and, type SQL, sql } from "drizzle-orm";
import { builder } from "../../database/statement.ts";
import type { Uid } from "../../schema/content-type.ts";
import type { Cohort, Condition, Level, SortKey, AnyStatus } from "../query.ts";
import { cohortIn } from "../sql/cohort.ts";
import { compile, input } from "../sql/compile.ts";
import { conditionIn } from "../sql/condition.ts";
import { orderBy } from "../sql/order.ts";
import { statusOf } from "../sql/reach.ts";
import { type Build, localeColumn, type RowScope, rowScope, systemColumn, tableOf } from "../sql/scope.ts";
import type { GroupPlan, GroupTarget } from "./plan.ts";
import type { PlanRows } from "./planned.ts";

export interface GroupRequest {
  readonly target: Uid;
  readonly level: Level;
  readonly status: AnyStatus;
  readonly cohort: Cohort | undefined;
  readonly filters: Condition | undefined;
  readonly sort: readonly SortKey[];
  readonly files: boolean;
  /** Rows say of which type they are. */
  readonly typed: boolean;
}

/** Collects the groups of one level: attributes that lead to the same target with the same options share one. */
export class GroupPlanner {
  readonly plans: GroupPlan[] = [];
  readonly #build: Build;
  readonly #planRows: PlanRows;
  readonly #planned = new Map<string, GroupTarget>();

  constructor(build: Build, planRows: PlanRows) {
    this.#build = build;
    this.#planRows = planRows;
  }

  /** The group that reads what is asked for. */
  add({ target, level, status, cohort, filters, sort, files, typed }: GroupRequest): GroupTarget {
    const request: GroupRequest = { target, level, status, cohort, filters, sort, files, typed };
    const key = JSON.stringify(request);
    let planned = this.#planned.get(key);
    if (planned === undefined) {
      const plan = this.#plan(request);
      planned = { group: this.plans.push(plan) - 1, target: plan.level };
      this.#planned.set(key, planned);
    }
    return planned;
  }

  #plan(request: GroupRequest): GroupPlan {
    const build = this.#build;
    const { target, level, status, filters, sort, files, typed, cohort } = request;
    const scope = rowScope(build, build.schema.type(target), status);
    const planned = this.#planRows(build, scope, level, typed);
    const { localized } = scope.owner.type;
    const order = sort.length > 0 ? orderBy(build, scope, sort) : [];
    const query = builder
      .select(planned.selection.fields)
      .from(tableOf(scope))
      .where(
        and(
          hasKey(scope, files),
          statusOf(scope),
          localized ? anyOf(localeColumn(scope)) : undefined,
          filters && conditionIn(build, scope, filters),
          cohort && cohortIn(build, scope, cohort),
        ),
      )
      .orderBy(...order);
    return {
      statement: compile(query),
      level: planned.level,
      files,
      localized,
      sorted: sort.length > 0,
    };
  }
}

const hasKey = (scope: RowScope, files: boolean): SQL =>
  files
    ? sql`${systemColumn(scope, "id")} = any(${input("keys")}::int[])`
    : sql`${systemColumn(scope, "documentId")} = any(${input("keys")}::text[])`;

export const anyOf = (column: ReturnType<typeof localeColumn>): SQL =>
  sql`${column} = any(${input("locales")}::text[])`;
