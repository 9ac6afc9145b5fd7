/** From a checked level to the columns that are selected and the reads that complete it. */
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { isUid } from "../../schema/uid.ts";
import type { Level } from "../query.ts";
import type { Owner, TypeOwner } from "../schema.ts";
import { type Build, memberOf, type RowScope } from "../sql/scope.ts";
import { GroupPlanner } from "./groups.ts";
import { planMember } from "./members.ts";
import type { ColumnPlan, EntryLevel, EntryScalar, JoinPlan, LinkPlan, RowLevel } from "./plan.ts";
import { Selection } from "./selection.ts";

/** What planning one level needs and collects. */
export interface LevelPlanner {
  readonly build: Build;
  readonly owner: TypeOwner;
  readonly scope: RowScope;
  readonly selection: Selection;
  readonly groups: GroupPlanner;
  readonly joins: JoinPlan[];
  readonly links: LinkPlan[];
}

/** A level whose statement is still to be built from `selection`. */
export interface PlannedLevel {
  readonly level: RowLevel;
  readonly selection: Selection;
}

/** Plans what is read of rows; `typed` items say of which type they are. */
export const planRows = (build: Build, scope: RowScope, level: Level, typed = false): PlannedLevel => {
  const { owner } = scope;
  const { table } = owner.type;
  const selection = new Selection(scope.alias);
  const planner: LevelPlanner = {
    build,
    owner,
    scope,
    selection,
    groups: new GroupPlanner(build),
    joins: [],
    links: [],
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

/** The same for entries of a component; `path` leads to them from the row. */
export const planEntries = (planner: LevelPlanner, level: Level, path: readonly PathStep[]): EntryLevel => {
  const { uid } = level;
  if (isUid(uid)) throw new Error(`${uid} is no component`);
  const owner = planner.build.schema.component(uid);
  return {
    uid,
    scalars: level.fields.map((name) => entryScalar(owner, name)),
    members: level.populate.map((populate) => planMember(planner, owner, populate, path)),
  };
};

const entryScalar = (owner: Owner, name: string): EntryScalar => {
  const member = memberOf(owner, name);
  if (member.kind !== "scalar") throw new Error(`${name} is no scalar`);
  return { name, type: member.type };
};

/** One step from a row into its components: the attribute, its column at the first step, and in a zone the component. */
export interface PathStep {
  readonly name: string;
  readonly column: AnyPgColumn | undefined;
  readonly list: boolean;
  readonly component: string | undefined;
}
