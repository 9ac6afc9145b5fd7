/** Statements, from snapshots, that count content without a value that a migration requires. */
import type { Change } from "../change.ts";
import { storedEntries } from "../components/stored-entries.ts";
import { isMany } from "../names/meaning.ts";
import { nameOf, ownerOf } from "../names/recall.ts";
import { threadsOf } from "../names/threads.ts";
import { own } from "../own.ts";
import type { AttributeOutline, ContentTypeOutline, Snapshot } from "../snapshot.ts";
import { countRows, literal, quote } from "../sql.ts";
import type { Concern } from "../step.ts";

/** The place that a header names. */
const placeIn = ({ contentTypes, components }: Snapshot, text: string): string | undefined => {
  const [owner, name] = [ownerOf(text), nameOf(text)];
  const uid = Object.keys(contentTypes).find((each) => contentTypes[each]?.table === owner);
  if (uid !== undefined) return `${uid}.${name}`;
  return Object.hasOwn(components, owner) ? text : undefined;
};

/** A published document; drafts may lack anything. */
const isPublished = ({ draftAndPublish }: ContentTypeOutline): string =>
  draftAndPublish ? '"published_at" is not null' : "true";

const isNullInRow = (table: string, attribute: AttributeOutline): string | undefined => {
  if (attribute.column !== undefined) {
    const column = quote(attribute.column);
    return attribute.kind === "component" ? `coalesce(json_typeof(${column}), 'null') = 'null'` : `${column} is null`;
  }
  if (!("link" in attribute) || attribute.link === undefined) return undefined;
  return `not exists (select from ${quote(attribute.link)} as link where link."version_id" = ${quote(table)}."id")`;
};

const ofRows = (type: ContentTypeOutline, attribute: AttributeOutline | undefined): string | undefined => {
  const isNull = attribute ? isNullInRow(type.table, attribute) : "true";
  return isNull === undefined ? undefined : countRows(type.table, `${isPublished(type)} and ${isNull}`);
};

const isNullInEntry = (field: string, attribute: AttributeOutline): string => {
  const value = `coalesce(entry -> ${literal(field)}, 'null')`;
  return isMany(attribute) ? `${value} in ('null', '[]')` : `${value} = 'null'`;
};

const ofEntries = (snapshot: Snapshot, uid: string, isNull: string): string | undefined => {
  const entries = storedEntries(snapshot, uid, isPublished).query();
  if (entries === undefined) return undefined;
  return `select count(*) from (${entries}) as stored where jsonb_typeof(entry) = 'object' and ${isNull}`;
};

/** A statement that counts what has no value at a place; without a name, everything that could have one. */
const countLacking = (snapshot: Snapshot, uid: string, name: string | undefined): string | undefined => {
  const type = own(snapshot.contentTypes, uid);
  const outline = type ?? own(snapshot.components, uid);
  const attribute = name === undefined ? undefined : own(outline?.attributes, name);
  if (!outline || (name !== undefined && !attribute)) return undefined;
  if (type) return ofRows(type, attribute);
  return ofEntries(snapshot, uid, attribute && name !== undefined ? isNullInEntry(name, attribute) : "true");
};

const lacked = (next: Snapshot, text: string, sql: string | undefined): readonly Concern[] => {
  if (sql === undefined) return [];
  const isRow = Object.values(next.contentTypes).some(({ table }) => table === ownerOf(text));
  return [
    {
      what: `${isRow ? "rows" : "entries"} of ${ownerOf(text)} without ${nameOf(text)}, which is required`,
      sql,
      becomes: "leaves",
    },
  ];
};

/** What lacks values at the places that a header names, in a database that has not applied the migration. */
export const lackedBefore = (change: Change, lacking: readonly string[]): readonly Concern[] => {
  const { old, next } = change;
  const threads = threadsOf(change);
  return lacking.flatMap((text) => {
    const place = placeIn(next, text);
    if (place === undefined) return [];
    const was = threads.get(place);
    const uid = was === undefined ? threads.get(ownerOf(place)) : ownerOf(was);
    if (uid === undefined) return [];
    return lacked(next, text, countLacking(old, uid, was === undefined ? undefined : nameOf(was)));
  });
};

/** The same in one that has. */
export const lackedAfter = (next: Snapshot, lacking: readonly string[]): readonly Concern[] =>
  lacking.flatMap((text) => {
    const place = placeIn(next, text);
    return place === undefined ? [] : lacked(next, text, countLacking(next, ownerOf(place), nameOf(place)));
  });
