/** Ways through rows that were read: from a member of a row, or of a component in it, to what is shown of it. */
import type { Row } from "../../database/database.ts";
import type { MemberPlan } from "../plan/plan.ts";
import { typedKeys, valueOf } from "./keys.ts";
import { type GroupRows, groupKey, type JoinRows, listKey, listOf, localeOf, type RowSet } from "./row-set.ts";

type Of<Kind extends MemberPlan["kind"]> = Extract<MemberPlan, { readonly kind: Kind }>;

export type RelationPlan = Of<"lookup" | "join">;
export type MorphPlan = Of<"morph">;

/** What stands in the member's column of a row. In components it stands under the name of the member. */
export const storedIn = ({ components }: RowSet, member: MemberPlan, row: Row): unknown =>
  valueOf(components, member, row);

/** A row in its set. */
export interface Place {
  readonly set: RowSet;
  readonly position: number;
}

/** Rows of one set, by their positions. */
export interface Related {
  readonly set: RowSet;
  readonly positions: readonly number[];
}

/** The rows that a relation shows, of a to-one relation the first; undefined when there was nothing to read. */
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

/** Where what a key or a list of keys leads to stands: all of it, or the part that was read. */
const lookedUp = (set: RowSet, group: GroupRows, value: unknown, row: Row): readonly number[] => {
  const locale = localeOf(set.level, row) ?? set.defaultLocale;
  if (group.plan.listIndex !== undefined) return group.parts.get(listKey(value, locale)) ?? [];
  return groupPositions(group, listOf(value), locale);
};

/** Where what `keys` lead to stands, seen from a row in a locale. */
const groupPositions = (group: GroupRows, keys: readonly unknown[], locale: string): readonly number[] => {
  const found: number[] = [];
  for (const key of keys) {
    const position = group.positions.get(groupKey(group.plan, key, locale));
    if (position !== undefined) found.push(position);
  }
  return group.plan.sorted ? found.toSorted((left, right) => left - right) : found;
};

/** Where the rows that belong to a row stand. */
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

/** The same for a relation to any type, whose rows stand in sets of several types. */
export const morphRows = (set: RowSet, member: MorphPlan, value: unknown, row: Row): readonly Place[] => {
  const locale = localeOf(set.level, row) ?? set.defaultLocale;
  const found = typedKeys(set, member, value, row).flatMap(({ type, documentId }) => {
    const { group: index } = member.groups.get(type) ?? {};
    const group = index === undefined ? undefined : set.groups[index];
    const target = group?.set;
    if (group === undefined || target === undefined) return [];
    return groupPositions(group, [documentId], locale).map((position) => ({ set: target, position }));
  });
  return shown(member, found);
};
