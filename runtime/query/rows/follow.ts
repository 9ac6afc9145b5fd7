/** Ways through rows that were read: from a member of a row, or of a component in it, to what is shown of it. */
import { isRecord } from "../../base/is-record.ts";
import type { Row } from "../../database/database.ts";
import type { MemberPlan, ZoneEntryLevel } from "../plan/plan.ts";
import type { Window } from "../query.ts";
import { typedKeys, valueOf } from "./keys.ts";
import { groupKey, type JoinRows, listOf, localeOf, type RowSet } from "./row-set.ts";

type Of<Kind extends MemberPlan["kind"]> = Extract<MemberPlan, { readonly kind: Kind }>;

export type RelationPlan = Of<"lookup" | "join">;
export type MorphPlan = Of<"morph">;
export type ComponentPlan = Of<"component">;
export type ZonePlan = Of<"zone">;

/** A component as it is stored: an object by names of attributes, or more than is declared. */
export type Entry = Readonly<Record<string, unknown>>;

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
    const target = set.groups[member.group]?.set;
    const positions = groupPositions(set, member.group, listOf(value), row);
    return target && { set: target, positions: windowed(shown(member, positions), member.window) };
  }
  const join = set.joins[member.join];
  return join && { set: join.set, positions: shown(member, joinPositions(set, join, row)) };
};

const shown = <Item>({ many }: { readonly many: boolean }, items: readonly Item[]): readonly Item[] =>
  many || items.length < 2 ? items : items.slice(0, 1);

const windowed = <Item>(items: readonly Item[], window: Window | undefined): readonly Item[] =>
  window === undefined ? items : items.slice(window.start, window.start + window.limit);

/** Where what `keys` lead to stands, seen from a row: in its locale. */
const groupPositions = (set: RowSet, index: number, keys: readonly unknown[], row: Row): readonly number[] => {
  const group = set.groups[index];
  if (group === undefined) return [];
  const locale = localeOf(set.level, row) ?? set.defaultLocale;
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
  const found = typedKeys(set, member, value, row).flatMap(({ type, documentId }) => {
    const { group } = member.groups.get(type) ?? {};
    const target = group === undefined ? undefined : set.groups[group]?.set;
    if (group === undefined || target === undefined) return [];
    return groupPositions(set, group, [documentId], row).map((position) => ({ set: target, position }));
  });
  return shown(member, found);
};

/** The entries that a component shows; a single one is a list of one. */
export const componentEntries = (member: ComponentPlan, value: unknown, row: Row): readonly Entry[] => {
  const entries = windowed(chosen(listOf(value).filter(isRecord), member.chosenIndex, row), member.window);
  return member.repeatable || entries.length < 2 ? entries : entries.slice(0, 1);
};

/** An entry of a zone, and what is shown of its component. */
export interface ZoneEntry {
  readonly level: ZoneEntryLevel;
  readonly entry: Entry;
}

export const zoneEntries = ({ levels }: ZonePlan, value: unknown, row: Row): readonly ZoneEntry[] => {
  const found: ZoneEntry[] = [];
  for (const entry of listOf(value)) {
    if (!isRecord(entry)) continue;
    const level = levels.get(String(entry["__component"]));
    if (level !== undefined && chosen([entry], level.chosenIndex, row).length > 0) found.push({ level, entry });
  }
  return found;
};

/** The entries that the database chose, in its order. */
const chosen = (entries: readonly Entry[], index: number | undefined, row: Row): readonly Entry[] => {
  if (index === undefined) return entries;
  const listed: unknown = JSON.parse(String(row[index] ?? "[]"));
  const ranks = new Map(listOf(listed).map((id, rank) => [id, rank]));
  const rank = (entry: Entry): number => ranks.get(entry["id"]) ?? -1;
  return entries.filter((entry) => rank(entry) >= 0).toSorted((left, right) => rank(left) - rank(right));
};
