/**
 * SQL for sorting by values of the row, of its components, and of related rows; and for the rows that follow an entry
 * of a list.
 */
import { type SQL, sql, and, eq, gt, isNotNull, isNull, lt } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import { type SortValue, sortValueOf } from "../check/walk.ts";
import type { SortKey, SortStep, Shape } from "../query.ts";
import type { ScalarMember } from "../schema.ts";
import { anchorValue, input } from "./compile.ts";
import { componentValue } from "./condition.ts";
import { reach, reachOne, selectReached } from "./reach.ts";
import { entryIn, fieldIn, jsonList, memberOf, type RowScope, type Scope, sqlType } from "./scope.ts";

/** An expression to sort by, and its direction. */
export interface OrderKey {
  readonly value: SQL;
  readonly direction: SQL;
}

/** The sort keys followed by the id, so that the order is always unambiguous. */
export const totalOrder = (scope: RowScope, keys: readonly SortKey[]): OrderKey[] => [
  ...orderKeys(scope, keys),
  ascending(scope.id),
];

/** The same as expressions for `order by`. */
export const orderBy = (scope: RowScope, keys: readonly SortKey[]): SQL[] => totalOrder(scope, keys).map(inOrder);

/** Sorts by a value in ascending order. */
export const ascending = (value: AnyPgColumn | SQL): OrderKey => ({
  value: sql`${value}`,
  direction: direction(false),
});

/** Sorts by a value in descending order. */
export const descending = (value: AnyPgColumn | SQL): OrderKey => ({
  value: sql`${value}`,
  direction: direction(true),
});

const direction = (descends: boolean): SQL => sql.raw(descends ? "desc" : "asc");

/** The SQL of one sort key. */
export const inOrder = ({ value, direction }: OrderKey): SQL => sql`${value} ${direction}`;

/** The sort keys without the id. */
export const orderKeys = (scope: Scope, keys: readonly SortKey[]): OrderKey[] =>
  keys.map(({ path, descending }) => orderKey(valueAt(scope, path, descending), descending));

/** Sorts by a value. */
const orderKey = (value: SQL, descends: boolean): OrderKey => ({ value, direction: direction(descends) });

/** The value at the end of a path. If the path passes a list, the value that comes first in this direction. */
const valueAt = (scope: Scope, path: readonly SortStep[], descending: boolean): SQL => {
  const [step, ...rest] = path;
  if (step === undefined) throw new Error("A sort key does not end in a scalar");
  const { name, status } = step;
  const member = memberOf(scope.owner, name);
  if (member.kind === "scalar") return fieldIn(scope, member);
  if (member.kind === "component") {
    const value = componentValue(scope, member);
    const valueIn = (entry: SQL): SQL => valueAt(entryIn(scope, member.component, entry), rest, descending);
    if (!member.repeatable) return valueIn(value);
    const entry = sql.identifier(scope.build.alias());
    return firstOf(
      sql`select ${valueIn(sql`${entry}.value`)} as value from json_array_elements(${jsonList(value)}) as ${entry}(value)`,
      descending,
    );
  }
  const reached = reach(scope, name, status);
  const inner = valueAt(reached.target, rest, descending);
  // Wrapped in another `sql`, so that Drizzle keeps the table name in column references.
  const fields = { value: sql`${sql`${inner}`}`.as("value") };
  return firstOf(selectReached(fields, reached).getSQL(), descending);
};

/**
 * The first of the values that a query selects. Uses an aggregate: with `limit 1` PostgreSQL would expect to find the
 * first one soon, and might scan a whole table in its order for each row of the list.
 */
const firstOf = (values: SQL, descends: boolean): SQL =>
  sql`(select (array_agg(value order by value ${direction(descends)}))[1] from (${values}) as found)`;

/** A table to join; it has at most one row for each row of the list. */
export interface OrderJoin {
  readonly target: RowScope;
  readonly on: SQL;
}

export interface JoinedKey extends OrderKey {
  /** The joins that lead to the value, in order. */
  readonly joins: readonly OrderJoin[];
  /** The scalar of the last joined row; undefined if the path goes on from there. */
  readonly scalar: ScalarMember | undefined;
  readonly descending: boolean;
}

/**
 * The sort keys without the id, and the joins that they need. Keys with the same relation share its join. A subquery
 * for each row would prevent PostgreSQL from joining all rows at once, and from following an index of the related
 * table.
 */
export const joinedOrder = (scope: RowScope, keys: readonly SortKey[]) => {
  const joined = new Map<string, OrderJoin>();
  const joinedKeys = keys.map(({ path, descending }): JoinedKey => {
    const joins: OrderJoin[] = [];
    let at = scope;
    let rest = path;
    for (const [index, step] of path.entries()) {
      const key = JSON.stringify(path.slice(0, index + 1));
      const join = joined.get(key) ?? joinOf(at, step);
      if (join === undefined) break;
      joined.set(key, join);
      joins.push(join);
      at = join.target;
      rest = path.slice(index + 1);
    }
    const key = orderKey(valueAt(at, rest, descending), descending);
    return { ...key, joins, scalar: scalarAt(at, rest), descending };
  });
  return { joins: [...joined.values()], keys: joinedKeys };
};

const joinOf = (scope: RowScope, { name, status }: SortStep): OrderJoin | undefined => {
  const reached = reachOne(scope, name, status);
  return reached && { target: reached.target, on: reached.where };
};

const scalarAt = ({ owner }: RowScope, [step, ...rest]: readonly SortStep[]): ScalarMember | undefined => {
  const member = step && rest.length === 0 ? memberOf(owner, step.name) : undefined;
  return member?.kind === "scalar" ? member : undefined;
};

/** A sort key, and the entry's value for it. */
interface AnchoredKey {
  readonly value: SQL;
  readonly descending: boolean;
  readonly isNullable: boolean;
  /** Undefined if it is null. */
  readonly anchor: SQL | undefined;
}

const NUMERIC: ReadonlySet<ScalarForm> = new Set(["integer", "digits", "number"]);

/** The type used to compare values. Numbers in components are compared as `numeric`. */
const comparedAs = ({ type, isInJson }: SortValue): SQL =>
  isInJson && NUMERIC.has(formOf(type)) ? sql`numeric` : sqlType(type);

const anchoredKeys = (scope: RowScope, { sort, walk }: Shape, keys: readonly JoinedKey[]): AnchoredKey[] => {
  const kinds = walk === undefined || walk.from === "beginning" ? [] : walk.from;
  return sort.flatMap((key, index) => {
    const value = keys[index]?.value;
    if (value === undefined) return [];
    const known = sortValueOf(scope.build.schema, scope.owner, key);
    const anchor = kinds[index] === "null" ? undefined : sql`${anchorValue(index)}::text::${comparedAs(known)}`;
    return [{ value, descending: key.descending, isNullable: known.isNullable, anchor }];
  });
};

const same = ({ value, anchor }: AnchoredKey): SQL => (anchor === undefined ? isNull(value) : eq(value, anchor));

/** The conditions for values behind that of the entry, in their order. Null counts as greater than every value. */
const behind = ({ value, anchor, descending, isNullable }: AnchoredKey): SQL[] => {
  if (descending) return [anchor === undefined ? isNotNull(value) : lt(value, anchor)];
  if (anchor === undefined) return [];
  return isNullable ? [gt(value, anchor), isNull(value)] : [gt(value, anchor)];
};

/**
 * Conditions that divide the rows after an entry into parts: each row is in one part, and the rows of a part precede
 * those of the next. An index on the sort keys answers each condition from its first row, unlike a single condition
 * with `or`.
 *
 * For `sort=title,rating`, the parts are: equal titles and ratings with greater ids; equal titles with greater ratings;
 * equal titles without a rating; greater titles; no title.
 */
export const partsAfter = (scope: RowScope, shape: Shape, joined: readonly JoinedKey[]): SQL[] => {
  const keys = anchoredKeys(scope, shape, joined);
  // After the id, no key can affect the order.
  const endsWithId = shape.sort.at(-1)?.path[0]?.name === "id" && shape.sort.at(-1)?.path.length === 1;
  const greater = endsWithId ? [] : [gt(scope.id, input("anchor"))];
  const steps = [...keys.map(behind), greater];
  return steps
    .map((conditions, index) => {
      const before = keys.slice(0, index).map(same);
      return conditions.map((condition) => sql`${and(...before, condition)}`);
    })
    .toReversed()
    .flat();
};

/**
 * The same for a whole list sorted by a related row's value first: the rows with such a value, and those without, in
 * order. PostgreSQL can then follow an index of the related table.
 */
export const partsOfAll = ([first]: readonly JoinedKey[]): (SQL | undefined)[] => {
  if (first === undefined || first.joins.length === 0) return [undefined];
  const parts = [isNotNull(first.value), isNull(first.value)];
  return first.descending ? parts.toReversed() : parts;
};
