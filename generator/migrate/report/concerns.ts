/** What a migration concerns in a database that has not seen it: statements that count, from the snapshots on both sides. */
import { countInside, countRows, entryPlaces } from "../components/entry-places.ts";
import { singleTurn } from "../moves/single-turn.ts";
import { recall, type Threads } from "../names/recall.ts";
import { own } from "../own.ts";
import type { AttributeOutline, Snapshot, Table } from "../snapshot.ts";
import { literal, quote } from "../sql.ts";
import { hiddenLinks } from "./hidden-links.ts";
import { lackedBefore } from "./lacked.ts";
import { narrowedIn, narrowedInside } from "./narrowed.ts";
import { ofSharedValues } from "./sharing.ts";

export interface Concern {
  /** What is counted: `values of articles.subtitle`. */
  readonly what: string;
  /** Answers with one number. */
  readonly sql: string;
  /** What to do about it, where the migration stops at it. */
  readonly stops?: string;
  /** What happens to it where it is not lost: it is left without a value that is required, shown to all, or shown to nobody. */
  readonly becomes?: "hides" | "leaves" | "publishes";
}

const storedValues = (table: string, place: string, attribute: AttributeOutline): readonly Concern[] => {
  if ("column" in attribute && attribute.column !== undefined) {
    return [{ what: `values of ${place}`, sql: countRows(table, `${quote(attribute.column)} is not null`) }];
  }
  if (!("link" in attribute) || attribute.link === undefined) return [];
  return [{ what: `links of ${place}`, sql: `select count(*) from ${quote(attribute.link)}` }];
};

const RENAMED = `change them first, or say with "renamedValues" what they are called now`;

interface Attribute {
  readonly uid: string;
  readonly name: string;
  readonly before: AttributeOutline;
  readonly after: AttributeOutline | undefined;
  /** Its old values by the new ones. */
  readonly renamed: Readonly<Record<string, string>>;
  /** By an expression that somebody wrote. */
  readonly isConverted: boolean;
}

const attributesOf = (old: Snapshot, next: Snapshot, threads: Threads): readonly Attribute[] => {
  const newPlaces = new Map([...threads].map(([is, was]) => [was, is]));
  const after = { ...next.contentTypes, ...next.components };
  return Object.entries({ ...old.contentTypes, ...old.components }).flatMap(([uid, { attributes }]) =>
    Object.entries(attributes).flatMap(([name, before]) => {
      if (!newPlaces.has(uid)) return [];
      const place = newPlaces.get(`${uid}.${name}`) ?? "";
      const at = place.lastIndexOf(".");
      const { renamedValues: renamed = {}, convert } = next.hinted?.[place] ?? {};
      const is = own(own(after, place.slice(0, at))?.attributes, place.slice(at + 1));
      return [{ uid, name, before, after: is, renamed, isConverted: convert !== undefined }];
    }),
  );
};

const goneValues = ({ before, after, renamed }: Attribute): readonly string[] =>
  before.kind === "scalar" && after?.kind === "scalar" && before.enum && after.enum
    ? before.enum.filter((each) => !after.enum?.includes(each) && !Object.values(renamed).includes(each))
    : [];

const ofAttribute = (old: Snapshot, threads: Threads, each: Attribute): readonly Concern[] => {
  const { uid, name, before, after } = each;
  const type = old.contentTypes[uid];
  const inside = type ? [] : entryPlaces(old, uid);
  if (!type && inside.length === 0) return [];
  const end = `.${JSON.stringify(name)}`;
  if (after === undefined) {
    if (type) return storedValues(type.table, `${type.table}.${name}`, before);
    return [{ what: `values of ${uid}.${name}`, sql: countInside(inside, end) }];
  }
  const gone = goneValues(each);
  if (gone.length > 0 && before.kind === "scalar") {
    const list = gone.map(literal).join(", ");
    const what = `values ${gone.join(", ")} of ${type?.table ?? uid}.${name}`;
    if (type) return [{ what, sql: countRows(type.table, `${quote(before.column)} in (${list})`), stops: RENAMED }];
    return [{ what, sql: countInside(inside, end, ` and value #>> '{}' in (${list})`), stops: RENAMED }];
  }
  if (type && !each.isConverted) {
    const narrowed = narrowedIn(type, name, before, after);
    if (narrowed.length > 0) return narrowed;
  }
  if (!type) return narrowedInside(uid, inside, name, before, after);
  if (before.kind !== "dynamiczone" || after.kind !== "dynamiczone") return [];
  const stays = new Set(after.components.flatMap((component) => threads.get(component) ?? []));
  return before.components
    .filter((component) => !stays.has(component))
    .map((component) => ({
      what: `entries of ${component} in ${type.table}.${name}`,
      sql: countInside(
        [{ table: type.table, column: before.column, path: "$" }],
        `[*] ? (@."__component" == ${JSON.stringify(component)})`,
      ),
    }));
};

const ofTypes = (old: Snapshot, threads: Threads): readonly Concern[] => {
  const kept = new Set(threads.values());
  return Object.keys(old.contentTypes)
    .filter((uid) => !kept.has(uid))
    .map((uid) => ({ what: `documents of ${uid}`, sql: countRows("documents", `"type" = ${literal(uid)}`) }));
};

/** Where drafts are turned off, one version is left of each document, and all can see it. */
const ofDrafts = (old: Snapshot, next: Snapshot, threads: Threads): readonly Concern[] =>
  Object.entries(next.contentTypes).flatMap(([uid, after]): readonly Concern[] => {
    const before = own(old.contentTypes, threads.get(uid) ?? "");
    if (!before?.draftAndPublish || after.draftAndPublish) return [];
    const { table } = before;
    const sameLocale = before.localized ? ' and published."locale" = draft."locale"' : "";
    const published = `exists (select from ${quote(table)} as published where published."document_id" = draft."document_id"${sameLocale} and published."published_at" is not null)`;
    const counted = `select count(*) from ${quote(table)} as draft where draft."published_at" is null and`;
    return [
      { what: `drafts of ${table} beside what is published`, sql: `${counted} ${published}` },
      {
        what: `documents of ${table} without a published version`,
        sql: `${counted} not ${published}`,
        becomes: "publishes",
      },
    ];
  });

/** Of a collection type that becomes a single type one document is shown. */
const ofSingles = (old: Snapshot, next: Snapshot, threads: Threads): readonly Concern[] =>
  Object.keys(next.contentTypes).flatMap((uid): readonly Concern[] => {
    const was = threads.get(uid) ?? "";
    const before = own(old.contentTypes, was);
    if (!before || singleTurn({ old, next }, { old: was, new: uid }) !== "begins") return [];
    const counted = `select greatest(count(distinct "document_id") - 1, 0) from ${quote(before.table)}`;
    return [{ what: `documents of ${before.table} that nothing would show`, sql: counted }];
  });

/** Of snapshots that do not say in which locale content came to be, nothing can be counted. */
const ofHiddenLinks = (old: Snapshot, next: Snapshot, threads: Threads): readonly Concern[] => {
  const { localizedAs } = next;
  if (localizedAs === undefined) return [];
  return hiddenLinks(old, next, threads).map(({ place, countIn }) => ({
    what: `links of ${place} in other locales`,
    sql: countIn(localizedAs),
    becomes: "hides",
  }));
};

/** A unique index over columns that are there already meets what stands in them. */
const ofIndexes = (table: string, before: Table, after: Table): readonly Concern[] =>
  Object.entries(after.indexes).flatMap(([name, { on, unique, where }]) => {
    if (!unique || Object.hasOwn(before.indexes, name)) return [];
    const keys = on.map((part) => part.replace(/ (?:asc|desc)\b.*$/i, "")).join(", ");
    return [
      {
        what: `values that stand twice or more in ${table}, where ${name} allows each once`,
        sql: `select count(*) from (select from ${quote(table)}${where === undefined ? "" : ` where ${where}`} group by ${keys} having count(*) > 1) as twice`,
        stops: "change all but one of each first",
      },
    ];
  });

/**
 * What goes by a migration, what it would stop at, and what lacks a value that it requires. Statements about names that
 * come with it fail.
 *
 * @param lacking places that its header says content may lack a value at
 */
export const concernsOf = (old: Snapshot, next: Snapshot, lacking: readonly string[]): readonly Concern[] => {
  const threads = recall(old, next);
  return [
    ...ofTypes(old, threads),
    ...ofDrafts(old, next, threads),
    ...ofSingles(old, next, threads),
    ...ofSharedValues(old, next, threads),
    ...ofHiddenLinks(old, next, threads),
    ...attributesOf(old, next, threads).flatMap((each) => ofAttribute(old, threads, each)),
    ...Object.entries(next.tables).flatMap(([name, table]) => {
      const before = own(old.tables, name);
      return before ? ofIndexes(name, before, table) : [];
    }),
    ...lackedBefore(old, next, lacking).map((each): Concern => ({ ...each, becomes: "leaves" })),
  ];
};
