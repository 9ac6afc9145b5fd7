/** Turns a checked level into the selected columns and the further reads for relations. */
import type { Owner } from "../schema.ts";
import { memberOf } from "../sql/scope.ts";
import { GroupPlanner, type LevelPlanner } from "./groups.ts";
import { planMember } from "./members.ts";
import type { ColumnPlan } from "./plan.ts";
import { type PlanRows, Selection } from "./planner.ts";

/** Plans the reading of rows; `typed` rows show their type. */
export const planRows: PlanRows = (scope, level, typed = false) => {
  const { owner } = scope;
  const { table } = owner.type;
  const selection = new Selection(scope.alias);
  const planner: LevelPlanner = {
    scope,
    selection,
    groups: new GroupPlanner(scope, planRows),
    joins: [],
    links: [],
    planRows,
  };
  const idIndex = selection.column(table.id);
  const documentIdIndex = selection.column(table.documentId);
  const columns = level.fields.map((name) => columnPlan(selection, owner, name));
  const localeIndex = table.locale === undefined ? undefined : selection.column(table.locale);
  const members = level.populate.map((populate) => planMember(planner, owner, populate, []));
  return {
    selection,
    level: {
      uid: owner.uid,
      columns,
      members,
      groups: planner.groups.plans,
      joins: planner.joins,
      links: planner.links,
      drafts: owner.type.draftAndPublish,
      typed,
      idIndex,
      documentIdIndex,
      localeIndex,
    },
  };
};

const columnPlan = (selection: Selection, owner: Owner, name: string): ColumnPlan => {
  const member = memberOf(owner, name);
  if (member.kind !== "scalar" || member.column === undefined) throw new Error(`${name} has no column`);
  return { name, type: member.type, index: selection.column(member.column) };
};
