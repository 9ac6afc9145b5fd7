/**
 * Storage whose name something else takes, and which does not continue under another name: it steps aside until its
 * content has moved or has been dropped. Otherwise the new owner of the name would begin with foreign data.
 */
import { identifier } from "../../../runtime/base/identifier.ts";
import { type Change, pairedTypes, type PairedType } from "../change.ts";
import { own } from "../own.ts";
import type { AttributeOutline, ContentTypeOutline } from "../snapshot.ts";
import { type Renames, storageKeys, storageOf } from "./renames.ts";

/** The prefix of temporary names. */
export const ASIDE = "galley_was";

type Key = (typeof storageKeys)[number];

const storagesOf = (attribute: AttributeOutline | undefined): readonly string[] =>
  attribute === undefined ? [] : storageKeys.flatMap((key) => storageOf(attribute, key) ?? []);

/** Columns that a type's attributes use from now on, except one of them. */
const columnsOfOthers = ({ after }: PairedType, name: string | undefined): readonly string[] =>
  Object.entries(after.attributes)
    .filter(([each]) => each !== name)
    .flatMap(([, attribute]) =>
      storageKeys.filter((key) => key !== "link").flatMap((key) => storageOf(attribute, key) ?? []),
    );

/** Whether something else takes the name under which an attribute is stored, while the attribute gets no other name. */
const isInTheWay = (
  { next }: Change,
  { tables, columns }: Renames,
  type: PairedType,
  name: string,
  key: Key,
  storage: string,
): boolean => {
  const renamed = key === "link" ? tables : columns.get(type.before.table);
  const heir = type.pairing.attributes.find((pair) => pair.old === name)?.new;
  const isKept = heir !== undefined && storagesOf(own(type.after.attributes, heir)).includes(storage);
  if (isKept || renamed?.has(storage)) return false;
  if ([...(renamed?.values() ?? [])].includes(storage)) return true;
  return key === "link" ? Object.hasOwn(next.tables, storage) : columnsOfOthers(type, heir).includes(storage);
};

/** Types that do not continue. */
const goneTypes = ({ old, correspondence }: Change): readonly string[] => {
  const kept = new Set(correspondence.contentTypes.map((pairing) => pairing.old));
  return Object.keys(old.contentTypes).filter((uid) => !kept.has(uid));
};

/** Whether a type stores its documents in a table from now on: then it is the same table, with other rows. */
const isTypeTable = ({ next }: Change, table: string): boolean =>
  Object.values(next.contentTypes).some((type) => type.table === table);

/** The tables of a type and of its links, with their names. */
const tablesOf = (type: ContentTypeOutline | undefined) => {
  const owners: readonly object[] = type === undefined ? [] : [type, ...Object.values(type.attributes)];
  return owners.flatMap((owner) =>
    (["table", "link"] as const).flatMap((key) => {
      const table: unknown = Reflect.get(owner, key);
      return typeof table === "string" ? { owner, key, table } : [];
    }),
  );
};

/** Finds what has to step aside, besides what is renamed. Returns the same change, with that under its other name. */
export const setAside = (change: Change, { tables, columns }: Renames) => {
  const asideTables = new Map(tables);
  const asideColumns = new Map([...columns].map(([table, names]) => [table, new Map(names)]));
  const names = new Map<string, string>();
  const old = structuredClone(change.old);
  for (const type of pairedTypes(change)) {
    const { pairing, before } = type;
    for (const [name, attribute] of Object.entries(before.attributes)) {
      for (const key of storageKeys) {
        const storage = storageOf(attribute, key);
        if (storage === undefined || !isInTheWay(change, { tables, columns }, type, name, key, storage)) continue;
        const aside = identifier(ASIDE, storage);
        names.set(aside, storage);
        Object.assign(own(own(old.contentTypes, pairing.old)?.attributes, name) ?? {}, { [key]: aside });
        if (key === "link") asideTables.set(storage, aside);
        else asideColumns.set(before.table, (asideColumns.get(before.table) ?? new Map()).set(storage, aside));
      }
    }
  }
  const taken = new Set(tables.values());
  for (const uid of goneTypes(change)) {
    for (const { owner, key, table } of tablesOf(old.contentTypes[uid])) {
      if (asideTables.has(table) || !Object.hasOwn(change.next.tables, table)) continue;
      if (key === "table" && isTypeTable(change, table) && !taken.has(table)) continue;
      const aside = identifier(ASIDE, table);
      names.set(aside, table);
      asideTables.set(table, aside);
      Object.assign(owner, { [key]: aside });
    }
  }
  /** Texts for people, with the original names of what stepped aside. */
  const named = (text: string): string =>
    [...names].reduce((result, [aside, name]) => result.replaceAll(aside, name), text);
  return { change: { ...change, old }, renames: { tables: asideTables, columns: asideColumns }, named };
};
