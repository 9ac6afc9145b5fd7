/** Links that nothing shows once their target is localized: those of versions in another locale than the default one. */
import { countInside, type EntryPlace, entryPlaces } from "../components/entry-places.ts";
import type { Threads } from "../names/recall.ts";
import { own } from "../own.ts";
import type { AttributeOutline, Snapshot } from "../snapshot.ts";
import { countRows, literal, quote } from "../sql.ts";

interface HiddenLinks {
  /** As the header names it before the migration: `books.writer`, or `shared.credits.writer` in a component. */
  readonly place: string;
  /** The table of the target. */
  readonly target: string;
  /** Counts them in the database before the migration, given the default locale. */
  readonly countIn: (locale: string) => string;
}

/** Types that become localized, by their uid before. */
const localizedNow = (old: Snapshot, next: Snapshot, threads: Threads): ReadonlyMap<string, string> =>
  new Map(
    [...threads].flatMap(([is, was]) => {
      const [before, after] = [own(old.contentTypes, was), own(next.contentTypes, is)];
      return before && after && !before.localized && after.localized ? [[was, after.table] as const] : [];
    }),
  );

type Relation = Extract<AttributeOutline, { kind: "relation" }>;

const isElsewhere = (locale: string): string => `"locale" <> ${literal(locale)}`;

const countStored = (table: string, { column, link }: Relation) => {
  if (column !== undefined)
    return (locale: string) => countRows(table, `${isElsewhere(locale)} and ${quote(column)} is not null`);
  if (link === undefined) return undefined;
  return (locale: string) =>
    `select count(*) from ${quote(link)} as link join ${quote(table)} as version on version."id" = link."version_id" where version.${isElsewhere(locale)}`;
};

const countEntries = (places: readonly EntryPlace[], name: string, { many }: Relation) => {
  if (places.length === 0) return undefined;
  const end = `.${JSON.stringify(name)}${many ? "[*]" : ""}`;
  return (locale: string) => countInside(places, { end, where: ` and ${isElsewhere(locale)}` });
};

/** Only versions of localized types have a locale of their own: what others link to is shown in the default one. */
const inLocalized = (old: Snapshot, uid: string): readonly EntryPlace[] => {
  const tables = new Set(Object.values(old.contentTypes).flatMap(({ localized, table }) => (localized ? table : [])));
  return entryPlaces(old, uid).filter(({ table }) => tables.has(table));
};

/** Relations of localized types to types that become localized: both sides are shown in one locale from then on. */
export const hiddenLinks = (old: Snapshot, next: Snapshot, threads: Threads): readonly HiddenLinks[] => {
  const targets = localizedNow(old, next, threads);
  const kept = new Set(threads.values());
  const found = (uid: string, owner: string, attributes: Readonly<Record<string, AttributeOutline>>) =>
    Object.entries(attributes).flatMap(([name, attribute]): readonly HiddenLinks[] => {
      if (attribute.kind !== "relation" || attribute.target === undefined || !kept.has(`${uid}.${name}`)) return [];
      const target = targets.get(attribute.target);
      const type = own(old.contentTypes, uid);
      if (target === undefined || (type && !type.localized)) return [];
      const countIn = type ? countStored(type.table, attribute) : countEntries(inLocalized(old, uid), name, attribute);
      return countIn ? [{ place: `${owner}.${name}`, target, countIn }] : [];
    });
  return [
    ...Object.entries(old.contentTypes).flatMap(([uid, { table, attributes }]) => found(uid, table, attributes)),
    ...Object.entries(old.components).flatMap(([uid, { attributes }]) => found(uid, uid, attributes)),
  ];
};
