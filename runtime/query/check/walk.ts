/** Lists that are read with cursors: what their cursors are bound to, and where the next page begins. */
import { ValidationError } from "../../base/errors.ts";
import type { CursorList, Shape, SortKey, Walk } from "../query.ts";
import { sortValueOf } from "../sort-value.ts";
import type { CheckContext } from "./context.ts";

/** Most attributes in the order of a list that is read with cursors: cursors hold a value for each. */
const KEYS = 8;

/**
 * The sort without keys that cannot decide: those that are there before, and all behind the id. A list is sorted by its
 * smallest value in one direction and by its largest in the other, so that the second direction can decide as well.
 */
const deciding = (sort: readonly SortKey[]): SortKey[] => {
  const seen = new Set<string>();
  const keys: SortKey[] = [];
  for (const key of sort) {
    const name = JSON.stringify([key.path, key.descending]);
    if (!seen.has(name)) keys.push(key);
    seen.add(name);
    if (key.path.length === 1 && key.path[0]?.name === "id") break;
  }
  if (keys.length <= KEYS) return keys;
  throw new ValidationError(`A list that is read with cursors can be sorted by ${KEYS} attributes at most`, {
    key: "sort",
    path: null,
    source: "query",
    param: "sort",
  });
};

export interface CheckedWalk {
  readonly sort: readonly SortKey[];
  readonly walk: Walk;
  readonly cursor: CursorList;
}

/**
 * Checks a cursor, which is empty for the first page.
 *
 * @throws ValidationError if the cursor is none, or was made for another type, sort, status or locale
 */
export const checkWalk = (
  context: CheckContext,
  { level: { uid }, status, locale, sort: asked }: Pick<Shape, "level" | "status" | "locale" | "sort">,
  after: string,
): CheckedWalk => {
  const { schema, cursors } = context;
  const sort = deciding(asked);
  // The types are part of it, because values of an attribute whose type was changed cannot be compared any more.
  const types = sort.map((key) => sortValueOf(schema, schema.type(uid), key).type);
  const codes = locale.kind === "all" ? null : context.parameters[locale.slot];
  const list = JSON.stringify([uid, status, codes, sort, types]);
  const anchor = after === "" ? undefined : cursors.read(list, after);
  const kinds = anchor?.values.map((value) => {
    if (value === null) return "null";
    return typeof value === "string" ? "value" : "digest";
  });
  return { sort, walk: { from: kinds ?? "beginning" }, cursor: { list, anchor } };
};
