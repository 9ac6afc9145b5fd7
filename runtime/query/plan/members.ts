/** Plans populated attributes. */
import { and, asc, type SQL, sql } from "drizzle-orm";
import { nameLiteral } from "../../database/name-literal.ts";
import type { ComponentUid } from "../../schema/content-type.ts";
import { isUid } from "../../schema/uid.ts";
import type { Populate, Level } from "../query.ts";
import type { ComponentMember, Owner, RelationMember, ZoneMember } from "../schema.ts";
import { conditionIn } from "../sql/condition.ts";
import { inOrder, orderKeys } from "../sql/order.ts";
import { storageOf } from "../sql/reach.ts";
import { entryIn, jsonList, jsonMember, memberOf } from "../sql/scope.ts";
import type { LevelPlanner } from "./groups.ts";
import { planJoin, planLinks } from "./joins.ts";
import type { EntryLevel, EntryScalar, MemberPlan, MemberSource } from "./plan.ts";
import type { PathStep } from "./planner.ts";

type Chosen = Pick<Extract<Populate, { readonly kind: "component" }>, "level" | "filters" | "sort">;

/** Selects the list of ids and returns its column index; undefined if entries are neither filtered nor sorted. */
const chosenEntries = (
  planner: LevelPlanner,
  path: readonly PathStep[],
  { level, filters, sort }: Chosen,
): number | undefined => {
  if (filters === undefined && sort.length === 0) return undefined;
  const { scope, selection } = planner;
  const { from, conditions, value, position } = unfold(planner, path);
  const entry = entryIn(scope, componentOf(level), value);
  const where = and(...conditions, filters && conditionIn(entry, filters));
  const keys = [...orderKeys(entry, sort).map(inOrder), asc(position)];
  const list = sql`select json_agg(${value} -> 'id' order by ${sql.join(keys, sql`, `)}) from ${from} where ${where ?? sql`true`}`;
  return selection.add(sql`(${list})`);
};

/** Joins that unfold lists and zones on the path to the entries. */
const unfold = ({ scope }: LevelPlanner, path: readonly PathStep[]) => {
  const tables: SQL[] = [];
  const conditions: SQL[] = [];
  let value: SQL | undefined;
  let position = sql`1`;
  for (const { name, column, list, component } of path) {
    const json: SQL = value === undefined ? sql`${scope.column(rootColumn(column, name))}` : jsonMember(value, name);
    const alias = sql.identifier(scope.build.alias());
    tables.push(
      list
        ? sql`json_array_elements(${jsonList(json)}) with ordinality as ${alias}(value, position)`
        : sql`(select ${json} as value, 1 as position) as ${alias}`,
    );
    if (component !== undefined) conditions.push(sql`${alias}.value ->> '__component' = ${nameLiteral(component)}`);
    value = sql`${alias}.value`;
    position = sql`${alias}.position`;
  }
  if (value === undefined) throw new Error("A component has no path");
  return { from: sql.join(tables, sql` cross join lateral `), conditions, value, position };
};

const rootColumn = (column: PathStep["column"], name: string) => {
  if (column === undefined) throw new Error(`${name} has no column`);
  return column;
};

type Of<Kind extends Populate["kind"]> = Extract<Populate, { readonly kind: Kind }>;

/** Plans one attribute of a row, or of the component at `path`. */
export const planMember = (
  planner: LevelPlanner,
  owner: Owner,
  populate: Populate,
  path: readonly PathStep[],
): MemberPlan => {
  const member = memberOf(owner, populate.name);
  if (populate.kind === "relation" && member.kind === "relation") return planRelation(planner, member, populate);
  if (populate.kind === "morph" && member.kind === "relation") return planMorph(planner, member, populate);
  if (populate.kind === "component" && member.kind === "component") {
    return planComponent(planner, member, populate, path);
  }
  if (populate.kind === "zone" && member.kind === "zone") return planZone(planner, member, populate, path);
  throw new Error(`${owner.uid}.${populate.name} cannot be populated as ${populate.kind}`);
};

const source = ({ name, as = name }: Populate, index: number | undefined): MemberSource => ({ name, as, index });

const planRelation = (planner: LevelPlanner, member: RelationMember, populate: Of<"relation">): MemberPlan => {
  const { many, source: stored, media } = member;
  const { count } = populate;
  const leading = { many, count, loose: media || "morphBy" in stored };
  const storage = storageOf(planner.scope.build, member);
  if (storage.kind === "column" || storage.kind === "json") {
    const index = storage.kind === "column" ? planner.selection.column(storage.column) : undefined;
    const window = many ? populate.window : undefined;
    const group = planner.groups.add({ ...populate, window, files: storage.files, typed: false, anyVersion: false });
    return { ...source(populate, index), kind: "lookup", ...group, ...leading };
  }
  const plan = planJoin(planner, storage, populate);
  const join = planner.joins.push(plan) - 1;
  return { ...source(populate, undefined), kind: "join", join, target: plan.level, ...leading };
};

const planMorph = (planner: LevelPlanner, member: RelationMember, populate: Of<"morph">): MemberPlan => {
  const groups = new Map(
    populate.levels.map((level) => [
      level.uid,
      planner.groups.add({
        target: level.uid,
        level,
        status: level.status,
        cohort: level.cohort,
        filters: level.filters,
        sort: [],
        window: undefined,
        files: false,
        typed: true,
        anyVersion: level.anyVersion,
        anyLocale: false,
      }),
    ]),
  );
  const { source: stored } = member;
  const inColumn = "typeColumn" in stored;
  const storage = storageOf(planner.scope.build, member);
  const links = storage.kind === "link" ? planner.links.push(planLinks(storage.link)) - 1 : undefined;
  return {
    ...source(populate, inColumn ? planner.selection.column(stored.column) : undefined),
    kind: "morph",
    many: member.many,
    count: populate.count,
    groups,
    typeIndex: inColumn ? planner.selection.column(stored.typeColumn) : undefined,
    links,
  };
};

const planComponent = (
  planner: LevelPlanner,
  member: ComponentMember,
  populate: Of<"component">,
  path: readonly PathStep[],
): MemberPlan => {
  const { name, column, repeatable } = member;
  const inner = [...path, { name, column, list: repeatable, component: undefined }];
  return {
    ...source(populate, column && planner.selection.column(column)),
    kind: "component",
    window: populate.window,
    repeatable,
    count: populate.count,
    level: planEntries(planner, populate.level, inner),
    chosenIndex: chosenEntries(planner, inner, populate),
  };
};

const planZone = (
  planner: LevelPlanner,
  member: ZoneMember,
  populate: Of<"zone">,
  path: readonly PathStep[],
): MemberPlan => {
  const { name, column } = member;
  const levels = new Map(
    populate.levels.map((level) => {
      const inner = [...path, { name, column, list: true, component: level.uid }];
      const chosenIndex = chosenEntries(planner, inner, { level, filters: level.filters, sort: [] });
      return [level.uid, { ...planEntries(planner, level, inner), chosenIndex }];
    }),
  );
  return {
    ...source(populate, column && planner.selection.column(column)),
    kind: "zone",
    count: populate.count,
    levels,
  };
};

const componentOf = ({ uid }: Level): ComponentUid => {
  if (isUid(uid)) throw new Error(`${uid} is not a component`);
  return uid;
};

/** Plans the entries of a component; `path` leads to them from the row. */
const planEntries = (planner: LevelPlanner, level: Level, path: readonly PathStep[]): EntryLevel => {
  const uid = componentOf(level);
  const owner = planner.scope.build.schema.component(uid);
  return {
    uid,
    scalars: level.fields.map((name) => entryScalar(owner, name)),
    members: level.populate.map((populate) => planMember(planner, owner, populate, path)),
  };
};

const entryScalar = (owner: Owner, name: string): EntryScalar => {
  const member = memberOf(owner, name);
  if (member.kind !== "scalar") throw new Error(`${name} is not a scalar`);
  return { name, type: member.type };
};
