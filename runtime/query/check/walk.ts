/** Lists read with cursors: what their cursors are bound to, and where the next page begins. */
import type { ScalarType } from "../../schema/content-type.ts";
import type { Shape, SortKey, Walk } from "../query.ts";
import type { Owner, Schema } from "../schema.ts";
import type { CheckContext } from "./context.ts";
import { faultAt } from "./position.ts";

export interface SortValue {
  readonly type: ScalarType;
  /** Whether the value is stored in the JSON of a component. */
  readonly isInJson: boolean;
  readonly isNullable: boolean;
}

/** The value at the end of a checked path. */
export const sortValueOf = (schema: Schema, start: Owner, { path }: SortKey): SortValue => {
  let owner = start;
  for (const { name } of path) {
    const member = owner.members.get(name);
    if (member?.kind === "scalar") {
      const isInJson = member.column === undefined;
      return { type: member.type, isInJson, isNullable: path.length > 1 || member.column?.notNull !== true };
    }
    if (member?.kind === "component") owner = schema.component(member.component);
    else if (member?.kind === "relation" && member.target !== undefined) owner = schema.type(member.target);
    else break;
  }
  throw new Error("A sort key does not end in a scalar");
};

/** Maximum number of attributes in the sort of a list read with cursors: cursors hold a value for each. */
const KEYS = 8;

/**
 * The sort without redundant keys: repeated ones, and all after the id. A to-many path sorts by its smallest value in
 * one direction and by its largest in the other, so its second direction is not redundant.
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
  const message = `A list that is read with cursors can be sorted by ${KEYS} attributes at most`;
  throw faultAt({ param: "sort", path: null }, message);
};

/**
 * Checks a cursor, which is empty for the first page.
 *
 * @throws ValidationError if it is not a cursor, or was made for another type, sort, status or locale
 */
export const checkWalk = (
  context: CheckContext,
  { level: { uid }, status, locale, sort: asked }: Pick<Shape, "level" | "status" | "locale" | "sort">,
  after: string,
) => {
  const { schema, cursors } = context;
  const sort = deciding(asked);
  // Includes the types, because values of an attribute whose type has changed are no longer comparable.
  const types = sort.map((key) => sortValueOf(schema, schema.type(uid), key).type);
  const codes = locale.kind === "all" ? null : context.parameters[locale.slot];
  const list = JSON.stringify([uid, status, codes, sort, types]);
  const anchor = after === "" ? undefined : cursors.read(list, after);
  const kinds = anchor?.values.map((value) => {
    if (value === null) return "null";
    return typeof value === "string" ? "value" : "digest";
  });
  return { sort, walk: { from: kinds ?? "beginning" } satisfies Walk, cursor: { list, anchor } };
};
