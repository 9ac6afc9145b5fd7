/** Filters and sorts entries of populated components: SQL returns the ids of the entries to show, in order. */
import { and, asc, type SQL, sql } from "drizzle-orm";
import { nameLiteral } from "../../database/name-literal.ts";
import type { Populate } from "../query.ts";
import { conditionIn } from "../sql/condition.ts";
import { inOrder, orderKeys } from "../sql/order.ts";
import { columnIn, jsonList, jsonMember, type JsonScope } from "../sql/scope.ts";
import type { LevelPlanner, PathStep } from "./planner.ts";

type Chosen = Pick<Extract<Populate, { readonly kind: "component" }>, "level" | "filters" | "sort">;

/** Selects the list of ids and returns its column index; undefined if entries are neither filtered nor sorted. */
export const chosenEntries = (
  planner: LevelPlanner,
  path: readonly PathStep[],
  { level, filters, sort }: Chosen,
): number | undefined => {
  if (filters === undefined && sort.length === 0) return undefined;
  const { build, scope, selection } = planner;
  const { from, conditions, value, position } = unfold(planner, path);
  const entry: JsonScope = { kind: "json", owner: build.schema.owner(level.uid), value, row: scope };
  const where = and(...conditions, filters && conditionIn(build, entry, filters));
  const keys = [...orderKeys(build, entry, sort).map(inOrder), asc(position)];
  const list = sql`select json_agg(${value} -> 'id' order by ${sql.join(keys, sql`, `)}) from ${from} where ${where ?? sql`true`}`;
  return selection.add(sql`(${list})`);
};

interface Unfolded {
  readonly from: SQL;
  readonly conditions: readonly SQL[];
  readonly value: SQL;
  readonly position: SQL;
}

/** Joins that unfold lists and zones on the path to the entries. */
const unfold = ({ build, scope }: LevelPlanner, path: readonly PathStep[]): Unfolded => {
  const tables: SQL[] = [];
  const conditions: SQL[] = [];
  let value: SQL | undefined;
  let position = sql`1`;
  for (const { name, column, list, component } of path) {
    const json: SQL =
      value === undefined ? sql`${columnIn(rootColumn(column, name), scope.alias)}` : jsonMember(value, name);
    const alias = sql.identifier(build.aliases.next());
    tables.push(
      list
        ? sql`json_array_elements(${jsonList(json)}) with ordinality as ${alias}(value, position)`
        : sql`(select ${json} as value, 1 as position) as ${alias}`,
    );
    if (component !== undefined) conditions.push(sql`${alias}.value ->> '__component' = ${nameLiteral(component)}`);
    value = sql`${alias}.value`;
    position = sql`${alias}.position`;
  }
  if (value === undefined) throw new Error("A component stands nowhere");
  return { from: sql.join(tables, sql` cross join lateral `), conditions, value, position };
};

const rootColumn = (column: PathStep["column"], name: string) => {
  if (column === undefined) throw new Error(`${name} has no column`);
  return column;
};
