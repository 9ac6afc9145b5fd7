/** The entries of components and zones in a row that are to be shown. */
import { isRecord } from "../../base/is-record.ts";
import type { Row } from "../../database/database.ts";
import type { MemberPlan, ZoneEntryLevel } from "../plan/plan.ts";
import type { Window } from "../query.ts";
import { listOf } from "./row-set.ts";

export type ComponentPlan = Extract<MemberPlan, { readonly kind: "component" }>;
export type ZonePlan = Extract<MemberPlan, { readonly kind: "zone" }>;

/** A component as it is stored. It may contain attributes that are no longer declared. */
export type Entry = Readonly<Record<string, unknown>>;

const windowed = <Item>(items: readonly Item[], window: Window | undefined): readonly Item[] =>
  window === undefined ? items : items.slice(window.start, window.start + window.limit);

/** The entries of a component to show; a single component gives a list of one. */
export const componentEntries = (member: ComponentPlan, value: unknown, row: Row): readonly Entry[] => {
  const entries = windowed(chosen(listOf(value).filter(isRecord), member.chosenIndex, row), member.window);
  return member.repeatable || entries.length < 2 ? entries : entries.slice(0, 1);
};

/** An entry of a zone, with the level of its component. */
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

/** The entries that the database has chosen, in its order. */
const chosen = (entries: readonly Entry[], index: number | undefined, row: Row): readonly Entry[] => {
  if (index === undefined) return entries;
  const listed: unknown = JSON.parse(String(row[index] ?? "[]"));
  const ranks = new Map(listOf(listed).map((id, rank) => [id, rank]));
  const rank = (entry: Entry): number => ranks.get(entry["id"]) ?? -1;
  return entries.filter((entry) => rank(entry) >= 0).toSorted((left, right) => rank(left) - rank(right));
};
