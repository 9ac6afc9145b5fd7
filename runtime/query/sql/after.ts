/** SQL for the rows of a list that come after one of its entries. */
import { and, eq, gt, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import { type SortValue, sortValueOf } from "../check/walk.ts";
import type { Shape } from "../query.ts";
import { anchorValue, input } from "./compile.ts";
import type { JoinedKey } from "./order.ts";
import { type RowScope, sqlType } from "./scope.ts";

/** A sort key, and the entry's value for it. */
interface AnchoredKey {
  readonly value: SQL;
  readonly descending: boolean;
  readonly isNullable: boolean;
  /** Undefined if it is null. */
  readonly anchor: SQL | undefined;
}

const NUMERIC: ReadonlySet<ScalarForm> = new Set(["integer", "digits", "number"]);

/** The type that values are compared in. The numbers of components are compared as `numeric`. */
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
 * Conditions that divide the rows after an entry into parts: each row is in one part, and the rows of a part come before
 * those of the next. An index on the sort keys answers each condition from its first row, which it would not do for one
 * condition with `or`.
 *
 * For `sort=title,rating`, the parts are: equal titles and ratings with greater ids; equal titles with greater ratings;
 * equal titles without a rating; greater titles; no title.
 */
export const partsAfter = (scope: RowScope, shape: Shape, joined: readonly JoinedKey[]): SQL[] => {
  const keys = anchoredKeys(scope, shape, joined);
  // Behind the id no key can decide any more.
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
 * The same for a whole list that is sorted by a related row's value first: the rows with such a value, and those without,
 * in their order. PostgreSQL can then follow an index of the related table.
 */
export const partsOfAll = ([first]: readonly JoinedKey[]): (SQL | undefined)[] => {
  if (first === undefined || first.joins.length === 0) return [undefined];
  const parts = [isNotNull(first.value), isNull(first.value)];
  return first.descending ? parts.toReversed() : parts;
};
