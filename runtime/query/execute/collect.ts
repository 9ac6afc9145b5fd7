/** Gathers the keys of what has to be read next, through the components of a row. */
import { isRecord } from "../../base/is-record.ts";
import type { Row } from "../../database/database.ts";
import type { EntryLevel, MemberPlan } from "../plan/plan.ts";
import type { LevelRead } from "./level-read.ts";

/** The elements of a list; a single value is a list of one, nothing is empty. */
export const listOf = (value: unknown): readonly unknown[] => {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};

/** A link to a document of any type. */
export interface TypedKey {
  readonly type: string;
  readonly documentId: string;
}

const typedKey = (value: unknown): TypedKey[] => {
  if (!isRecord(value)) return [];
  const { __type: type, documentId } = value;
  return typeof type === "string" && typeof documentId === "string" ? [{ type, documentId }] : [];
};

type Morph = Extract<MemberPlan, { readonly kind: "morph" }>;

/** Where a relation to any type leads from a row, or from a component's `value`. */
export const typedKeys = (read: LevelRead, member: Morph, value: unknown, row: Row): readonly TypedKey[] => {
  if (member.links !== undefined) return read.links[member.links]?.of(read, row) ?? [];
  if (member.typeIndex !== undefined) {
    const type = row[member.typeIndex];
    return typeof value === "string" && typeof type === "string" ? [{ type, documentId: value }] : [];
  }
  return listOf(value).flatMap(typedKey);
};

/** Tells the groups of `read` which keys the member's value holds. */
export const collect = (read: LevelRead, member: MemberPlan, value: unknown, row: Row): void => {
  switch (member.kind) {
    case "lookup": {
      const group = read.groups[member.group];
      for (const key of listOf(value)) group?.want(key);
      return;
    }
    case "morph":
      for (const { type, documentId } of typedKeys(read, member, value, row)) {
        const group = member.groups.get(type);
        if (group !== undefined) read.groups[group]?.want(documentId);
      }
      return;
    case "component":
      for (const entry of listOf(value)) collectEntry(read, member.level, entry, row);
      return;
    case "zone":
      for (const entry of listOf(value)) {
        const level = isRecord(entry) ? member.levels.get(String(entry["__component"])) : undefined;
        if (level !== undefined) collectEntry(read, level, entry, row);
      }
      return;
    case "join":
  }
};

const collectEntry = (read: LevelRead, level: EntryLevel, entry: unknown, row: Row): void => {
  if (!isRecord(entry)) return;
  for (const member of level.members) collect(read, member, entry[member.name], row);
};
