/** Turns rows into objects for code, with the same content as a REST answer, but without writing JSON. */
import type { Row } from "../../database/database.ts";
import type { EntryLevel, MemberPlan } from "../plan/plan.ts";
import { componentEntries, type Entry, zoneEntries } from "../rows/entries.ts";
import { morphRows, relatedRows, storedIn } from "../rows/follow.ts";
import type { RowSet } from "../rows/row-set.ts";
import { decodeEntry, decoderOf } from "./decode.ts";

type Members = Record<string, unknown>;

/** A document as an object of what the query shows. */
export type DocumentObject = Readonly<Members>;

/**
 * The document at a position. Each use gets a new object, even if several documents refer to the same row, because code
 * may change it.
 */
const rowObject = (set: RowSet, position: number): DocumentObject => {
  const { level, rows } = set;
  const row = rows[position] ?? [];
  const object: Members = {};
  for (const { name, type, index } of level.columns) object[name] = decoderOf(type)(row[index] ?? null);
  for (const member of level.members) object[member.as] = memberValue(set, member, storedIn(set, member, row), row);
  if (level.typed) object["__type"] = level.uid;
  return object;
};

const memberValue = (set: RowSet, member: MemberPlan, value: unknown, row: Row): unknown => {
  switch (member.kind) {
    case "lookup":
    case "join": {
      const { set: target = set, positions = [] } = relatedRows(set, member, value, row) ?? {};
      return plural(member, positions, (position) => rowObject(target, position));
    }
    case "morph":
      return plural(member, morphRows(set, member, value, row), (place) => rowObject(place.set, place.position));
    case "component": {
      const entries = componentEntries(member, value, row);
      return plural({ ...member, many: member.repeatable }, entries, (entry) =>
        entryObject(set, member.level, entry, row),
      );
    }
    case "zone":
      return plural({ ...member, many: true }, zoneEntries(member, value, row), ({ level, entry }) => ({
        __component: level.uid,
        ...entryObject(set, level, entry, row),
      }));
  }
};

interface Plural {
  readonly many: boolean;
  readonly count: boolean;
}

const plural = <Item>({ many, count }: Plural, items: readonly Item[], object: (item: Item) => unknown): unknown => {
  if (count) return { count: items.length };
  if (many) return items.map(object);
  const [first] = items;
  return first === undefined ? null : object(first);
};

const entryObject = (set: RowSet, level: EntryLevel, entry: Entry, row: Row): DocumentObject => {
  const object: Members = {};
  for (const { name, type } of level.scalars) object[name] = decodeEntry(type, entry[name]);
  for (const member of level.members) object[member.as] = memberValue(set, member, entry[member.name], row);
  return object;
};

/** Documents as objects. */
export const objectsOf = (documents: RowSet): DocumentObject[] =>
  [...documents.rows.keys()].map((position) => rowObject(documents, position));

/** The first of the documents as an object. */
export const objectOf = (documents: RowSet): DocumentObject => rowObject(documents, 0);
