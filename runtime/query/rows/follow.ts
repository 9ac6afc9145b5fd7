/** Follows members from a row, or from a component in it, to the keys of related rows and, once read, to the rows. */
import { isRecord } from "../../base/is-record.ts";
import type { Row } from "../../database/database.ts";
import type { MemberPlan, ZoneEntryLevel, EntryLevel, GroupPlan, RowLevel, JoinPlan } from "../plan/plan.ts";
import type { Window } from "../query.ts";
import {
  listOf,
  type JsonColumns,
  type Links,
  listKey,
  localeOf,
  type TypedKey,
  groupKey,
  type RowSet,
  type Found,
} from "./row-set.ts";

type ComponentPlan = Extract<MemberPlan, { readonly kind: "component" }>;
type ZonePlan = Extract<MemberPlan, { readonly kind: "zone" }>;

/** A component as stored. It may contain attributes that are no longer declared. */
export type Entry = Readonly<Record<string, unknown>>;

const windowed = <Item>(items: readonly Item[], window: Window | undefined): readonly Item[] =>
  window === undefined ? items : items.slice(window.start, window.start + window.limit);

/** The entries of a component to show; a single component gives a list of one. */
export const componentEntries = (member: ComponentPlan, value: unknown, row: Row): readonly Entry[] => {
  const entries = windowed(chosen(listOf(value).filter(isRecord), member.chosenIndex, row), member.window);
  return member.repeatable || entries.length < 2 ? entries : entries.slice(0, 1);
};

/** An entry of a zone, with the level of its component. */
interface ZoneEntry {
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

/** The entries that the database has chosen, in its order. */
const chosen = (entries: readonly Entry[], index: number | undefined, row: Row): readonly Entry[] => {
  if (index === undefined) return entries;
  const listed: unknown = JSON.parse(String(row[index] ?? "[]"));
  const ranks = new Map(listOf(listed).map((id, rank) => [id, rank]));
  const rank = (entry: Entry): number => ranks.get(entry["id"]) ?? -1;
  return entries.filter((entry) => rank(entry) >= 0).toSorted((left, right) => rank(left) - rank(right));
};

/** What is known of rows whose relations have not been read yet. */
interface Incomplete {
  readonly level: RowLevel;
  readonly components: JsonColumns;
  readonly links: readonly Links[];
  /** The locale to use for rows whose type has no locales. */
  readonly defaultLocale: string;
}

/** The value of a member; components are parsed. */
const valueOf = (components: JsonColumns, { kind, index }: MemberPlan, row: Row): unknown => {
  if (index === undefined) return null;
  return kind === "component" || kind === "zone" ? components.value(row, index) : (row[index] ?? null);
};

type Morph = Extract<MemberPlan, { readonly kind: "morph" }>;

/** The targets of a relation to any type, in a row or in the `value` of a component. */
const typedKeys = (
  { level, links }: Pick<Incomplete, "level" | "links">,
  member: Morph,
  value: unknown,
  row: Row,
): readonly TypedKey[] => {
  if (member.links !== undefined) return links[member.links]?.get(String(row[level.idIndex])) ?? [];
  if (member.typeIndex !== undefined) {
    const type = row[member.typeIndex];
    return typeof value === "string" && typeof type === "string" ? [{ type, documentId: value }] : [];
  }
  return listOf(value).flatMap(typedKey);
};

const typedKey = (value: unknown): TypedKey[] => {
  if (!isRecord(value)) return [];
  const { __type: type, documentId, version } = value;
  if (typeof type !== "string" || typeof documentId !== "string") return [];
  return [{ type, documentId, version: typeof version === "string" ? version : undefined }];
};

/** The keys that one group has to read. */
export interface Wanted {
  readonly plan: GroupPlan;
  /** The distinct keys. */
  readonly keys: Set<unknown>;
  /** The keys of each list, if only a part of each is read; see {@link listKey}. */
  readonly lists: Map<unknown, WantedList>;
}

interface WantedList {
  readonly keys: readonly unknown[];
  readonly locale: string;
  /** The one version that a link to any type leads to; see {@link TypedKey}. */
  readonly version?: string | undefined;
}

/** The keys that each group of the level has to read. */
export const wantedKeys = (rows: readonly Row[], incomplete: Incomplete): readonly Wanted[] => {
  const { level, components } = incomplete;
  const wanted = level.groups.map((plan): Wanted => ({ plan, keys: new Set(), lists: new Map() }));
  if (wanted.length === 0) return wanted;
  const collector: Collector = { ...incomplete, wanted };
  for (const member of level.members) {
    for (const row of rows) collect(collector, member, valueOf(components, member, row), row);
  }
  return wanted;
};

interface Collector extends Incomplete {
  readonly wanted: readonly Wanted[];
}

const collect = (collector: Collector, member: MemberPlan, value: unknown, row: Row): void => {
  switch (member.kind) {
    case "lookup":
      collectList(collector, member.group, value, row);
      return;
    case "morph":
      for (const { type, documentId, version } of typedKeys(collector, member, value, row)) {
        const target = member.groups.get(type);
        if (target !== undefined) collectList(collector, target.group, documentId, row, version);
      }
      return;
    case "component":
      for (const entry of componentEntries(member, value, row)) collectEntry(collector, member.level, entry, row);
      return;
    case "zone":
      for (const { level, entry } of zoneEntries(member, value, row)) collectEntry(collector, level, entry, row);
      return;
    case "join":
  }
};

const collectList = (
  { level, defaultLocale, wanted }: Collector,
  group: number,
  value: unknown,
  row: Row,
  version?: string,
): void => {
  const { plan, keys, lists } = wanted[group] ?? {};
  if (plan?.listIndex === undefined) {
    for (const key of listOf(value)) keys?.add(key);
    return;
  }
  const own = localeOf(level, row) ?? defaultLocale;
  const locale = version?.split(" ")[1] ?? own;
  lists?.set(listKey(value, version ?? own), { keys: listOf(value), locale, version });
};

const collectEntry = (collector: Collector, level: EntryLevel, entry: Entry, row: Row): void => {
  for (const member of level.members) collect(collector, member, entry[member.name], row);
};

type Of<Kind extends MemberPlan["kind"]> = Extract<MemberPlan, { readonly kind: Kind }>;

type RelationPlan = Of<"lookup" | "join">;
type MorphPlan = Of<"morph">;

/** The value of the member's column in a row. Within components, the value is under the member's name instead. */
export const storedIn = ({ components }: RowSet, member: MemberPlan, row: Row): unknown =>
  valueOf(components, member, row);

/** A row as a position in its set. */
interface RowPosition {
  readonly set: RowSet;
  readonly position: number;
}

/** Rows of one set, as positions. */
interface Related {
  readonly set: RowSet;
  readonly positions: readonly number[];
}

const NOTHING: readonly number[] = [];

/** The related rows; for a to-one relation only the first. Undefined if nothing was read. */
export const relatedRows = (set: RowSet, member: RelationPlan, value: unknown, row: Row): Related | undefined => {
  if (member.kind === "lookup") {
    const group = set.groups[member.group];
    return group && { set: group.set, positions: shown(member, lookedUp(set, group, value, row)) };
  }
  const join = set.joins[member.join];
  return join && { set: join.set, positions: shown(member, joinPositions(set, join, row)) };
};

const shown = <Item>({ many }: { readonly many: boolean }, items: readonly Item[]): readonly Item[] =>
  many || items.length < 2 ? items : items.slice(0, 1);

/** The positions of the rows for a key or a list of keys: all of them, or the part that was read. */
const lookedUp = (
  { level, defaultLocale }: RowSet,
  { plan, positions }: Found<GroupPlan>,
  value: unknown,
  row: Row,
  version?: string,
): readonly number[] => {
  const locale = localeOf(level, row) ?? defaultLocale;
  if (plan.listIndex !== undefined) return positions.get(listKey(value, version ?? locale)) ?? NOTHING;
  const found: number[] = [];
  for (const key of listOf(value)) {
    const position = positions.get(groupKey(plan, key, locale))?.at(-1);
    if (position !== undefined) found.push(position);
  }
  return plan.sorted ? found.toSorted((left, right) => left - right) : found;
};

/** The positions of the rows that belong to a parent row. */
const joinPositions = ({ level }: RowSet, { plan, set, positions }: Found<JoinPlan>, row: Row): readonly number[] => {
  const { parentKey, locale } = plan;
  const all = positions.get(String(row[parentKey === "id" ? level.idIndex : level.documentIdIndex])) ?? NOTHING;
  if (locale === "any") return all;
  const own = localeOf(level, row);
  return all.filter((position) => (localeAt(set, position) === own) === (locale === "same"));
};

const localeAt = ({ level, rows }: RowSet, position: number): string | undefined => {
  const row = rows[position];
  return row && localeOf(level, row);
};

/** The related rows of a relation to any type, from sets of several types. */
export const morphRows = (set: RowSet, member: MorphPlan, value: unknown, row: Row): readonly RowPosition[] => {
  const found = typedKeys(set, member, value, row).flatMap(({ type, documentId, version }) => {
    const { group: index } = member.groups.get(type) ?? {};
    const group = index === undefined ? undefined : set.groups[index];
    if (group === undefined) return [];
    return lookedUp(set, group, documentId, row, version).map((position) => ({ set: group.set, position }));
  });
  return shown(member, found);
};
