/**
 * What is stored under a name that something else gets, and does not go on under another one: it steps aside until its
 * content has moved, or has gone by name. Otherwise the other one would begin with what is not its own.
 */
import { identifier } from "../../runtime/base/identifier.ts";
import { type Change, pairedTypes, type PairedType } from "./change.ts";
import { own } from "./own.ts";
import { type Renames, storageKeys, storageOf } from "./renames.ts";
import type { AttributeOutline, Snapshot } from "./snapshot.ts";

/** Begins the names of what steps aside. */
export const ASIDE = "galley_was";

interface Aside {
  /** The same change, with what steps aside under its other name. */
  readonly change: Change;
  readonly renames: Renames;
  /** Texts for people, with what stepped aside as it is called. */
  readonly named: (text: string) => string;
}

type Key = (typeof storageKeys)[number];

const storagesOf = (attribute: AttributeOutline | undefined): readonly string[] =>
  attribute === undefined ? [] : storageKeys.flatMap((key) => storageOf(attribute, key) ?? []);

/** Names of columns that attributes of a type have from now on, other than one of them. */
const columnsOfOthers = ({ after }: PairedType, name: string | undefined): readonly string[] =>
  Object.entries(after.attributes)
    .filter(([each]) => each !== name)
    .flatMap(([, attribute]) =>
      storageKeys.filter((key) => key !== "link").flatMap((key) => storageOf(attribute, key) ?? []),
    );

/** Whether the name under which an attribute is stored goes to something else, and the attribute to no other name. */
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
  if ([...(renamed?.values() ?? [])].includes(storage)) return heir !== undefined;
  return key === "link" ? Object.hasOwn(next.tables, storage) : columnsOfOthers(type, heir).includes(storage);
};

const withOutline = (
  { contentTypes, ...old }: Snapshot,
  uid: string,
  name: string,
  attribute: AttributeOutline,
): Snapshot => {
  const type = contentTypes[uid];
  if (!type) return { ...old, contentTypes };
  return {
    ...old,
    contentTypes: { ...contentTypes, [uid]: { ...type, attributes: { ...type.attributes, [name]: attribute } } },
  };
};

/** Finds what has to step aside, beside what is renamed. */
export const setAside = (change: Change, { tables, columns }: Renames): Aside => {
  const asideTables = new Map(tables);
  const asideColumns = new Map([...columns].map(([table, names]) => [table, new Map(names)]));
  const names = new Map<string, string>();
  let { old } = change;
  for (const type of pairedTypes(change)) {
    const { pairing, before } = type;
    for (const [name, attribute] of Object.entries(before.attributes)) {
      for (const key of storageKeys) {
        const storage = storageOf(attribute, key);
        if (storage === undefined || !isInTheWay(change, { tables, columns }, type, name, key, storage)) continue;
        const aside = identifier(ASIDE, storage);
        names.set(aside, storage);
        const known = own(own(old.contentTypes, pairing.old)?.attributes, name) ?? attribute;
        old = withOutline(old, pairing.old, name, { ...known, [key]: aside });
        if (key === "link") asideTables.set(storage, aside);
        else asideColumns.set(before.table, (asideColumns.get(before.table) ?? new Map()).set(storage, aside));
      }
    }
  }
  const named = (text: string): string =>
    [...names].reduce((result, [aside, name]) => result.replaceAll(aside, name), text);
  return { change: { ...change, old }, renames: { tables: asideTables, columns: asideColumns }, named };
};
