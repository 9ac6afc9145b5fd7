/** Follows members from a row, or from a component in it, to the related rows. */
import type { Row } from "../../database/database.ts";
import type { MemberPlan } from "../plan/plan.ts";
import { typedKeys, valueOf } from "./keys.ts";
import { type GroupRows, groupKey, type JoinRows, listKey, listOf, localeOf, type RowSet } from "./row-set.ts";

type Of<Kind extends MemberPlan["kind"]> = Extract<MemberPlan, { readonly kind: Kind }>;

export type RelationPlan = Of<"lookup" | "join">;
export type MorphPlan = Of<"morph">;

/** The value of the member's column in a row. Within components, the value is under the member's name instead. */
export const storedIn = ({ components }: RowSet, member: MemberPlan, row: Row): unknown =>
  valueOf(components, member, row);

/** A row as a position in its set. */
export interface Place {
  readonly set: RowSet;
  readonly position: number;
}

/** Rows of one set, as positions. */
export interface Related {
  readonly set: RowSet;
  readonly positions: readonly number[];
}

/** The related rows; for a to-one relation only the first. Undefined if nothing was read. */
export const relatedRows = (set: RowSet, member: RelationPlan, value: unknown, row: Row): Related | undefined => {
  if (member.kind === "lookup") {
    const group = set.groups[member.group];
    return group?.set && { set: group.set, positions: shown(member, lookedUp(set, group, value, row)) };
  }
  const join = set.joins[member.join];
  return join && { set: join.set, positions: shown(member, joinPositions(set, join, row)) };
};

const shown = <Item>({ many }: { readonly many: boolean }, items: readonly Item[]): readonly Item[] =>
  many || items.length < 2 ? items : items.slice(0, 1);

/** The positions of the rows for a key or a list of keys: all of them, or the part that was read. */
const lookedUp = (set: RowSet, group: GroupRows, value: unknown, row: Row, version?: string): readonly number[] => {
  const locale = localeOf(set.level, row) ?? set.defaultLocale;
  if (group.plan.listIndex !== undefined) return group.parts.get(listKey(value, version ?? locale)) ?? [];
  return groupPositions(group, listOf(value), locale);
};

/** The positions of the rows for `keys`, as seen from a row in `locale`. */
const groupPositions = (group: GroupRows, keys: readonly unknown[], locale: string): readonly number[] => {
  const found: number[] = [];
  for (const key of keys) {
    const position = group.positions.get(groupKey(group.plan, key, locale));
    if (position !== undefined) found.push(position);
  }
  return group.plan.sorted ? found.toSorted((left, right) => left - right) : found;
};

/** The positions of the rows that belong to a parent row. */
const joinPositions = ({ level }: RowSet, { plan, set, positions }: JoinRows, row: Row): readonly number[] => {
  const { parentKey, locale } = plan;
  const all = positions.get(String(row[parentKey === "id" ? level.idIndex : level.documentIdIndex])) ?? [];
  if (locale === "any") return all;
  const own = localeOf(level, row);
  return all.filter((position) => (localeAt(set, position) === own) === (locale === "same"));
};

const localeAt = ({ level, rows }: RowSet, position: number): string | undefined => {
  const row = rows[position];
  return row && localeOf(level, row);
};

/** The related rows of a relation to any type, from sets of several types. */
export const morphRows = (set: RowSet, member: MorphPlan, value: unknown, row: Row): readonly Place[] => {
  const found = typedKeys(set, member, value, row).flatMap(({ type, documentId, version }) => {
    const { group: index } = member.groups.get(type) ?? {};
    const group = index === undefined ? undefined : set.groups[index];
    const target = group?.set;
    if (group === undefined || target === undefined) return [];
    return lookedUp(set, group, documentId, row, version).map((position) => ({ set: target, position }));
  });
  return shown(member, found);
};
