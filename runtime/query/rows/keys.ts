/** Collects the keys in rows and their components, by which related rows are read next. */
import { isRecord } from "../../base/is-record.ts";
import type { Row } from "../../database/database.ts";
import type { EntryLevel, GroupPlan, MemberPlan, RowLevel } from "../plan/plan.ts";
import { componentEntries, type Entry, zoneEntries } from "./entries.ts";
import type { JsonColumns } from "./json-columns.ts";
import { type Links, listKey, listOf, localeOf, type TypedKey } from "./row-set.ts";

/** What is known of rows whose relations are not read yet. */
export interface Incomplete {
  readonly level: RowLevel;
  readonly components: JsonColumns;
  readonly links: readonly Links[];
  /** The locale to use for rows whose type has no locales. */
  readonly defaultLocale: string;
}

/** The value of a member; components are parsed. */
export const valueOf = (components: JsonColumns, { kind, index }: MemberPlan, row: Row): unknown => {
  if (index === undefined) return null;
  return kind === "component" || kind === "zone" ? components.value(row, index) : (row[index] ?? null);
};

type Morph = Extract<MemberPlan, { readonly kind: "morph" }>;

/** The targets of a relation to any type, in a row or in the `value` of a component. */
export const typedKeys = (
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

export interface WantedList {
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
