/** Names tables' contents in the schema's terms: `article.metaTitle` for `articles.meta_title`. */
import type { Change } from "../change.ts";
import { nameOf as lastName } from "../names/recall.ts";
import { storageKeys, storageOf } from "../names/renames.ts";
import type { AttributeOutline, ContentTypeOutline, Snapshot } from "../snapshot.ts";
import type { Naming } from "../step.ts";

/** The singular name, as `cms rename` takes it; the uid if several types share that name. */
const shortNames = (uids: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    uids.map((uid) => [uid, uids.filter((each) => lastName(each) === lastName(uid)).length > 1 ? uid : lastName(uid)]),
  );

const storagesOf = (table: string, attribute: AttributeOutline): readonly string[] =>
  storageKeys.flatMap((key) => {
    const storage = storageOf(attribute, key);
    if (storage === undefined) return [];
    return key === "link" ? storage : `${table}.${storage}`;
  });

const note = (places: Map<string, string>, name: string, { table, attributes }: ContentTypeOutline, as = table) => {
  places.set(as, name);
  for (const [attribute, outline] of Object.entries(attributes)) {
    for (const storage of storagesOf(as, outline)) places.set(storage, `${name}.${attribute}`);
  }
};

const componentsOf = ({ old, next }: Change): ReadonlySet<string> =>
  new Set([...Object.keys(old.components), ...Object.keys(next.components)]);

const typesOf = ({ contentTypes }: Snapshot) => Object.entries(contentTypes);

export const namingOf = (change: Change): Naming => {
  const { old, next, correspondence } = change;
  const names = shortNames([...new Set([...typesOf(old), ...typesOf(next)].map(([uid]) => uid))]);
  const nameOf = (uid: string): string => names.get(uid) ?? uid;
  const places = new Map<string, string>();
  for (const [uid, type] of typesOf(next)) note(places, nameOf(uid), type);
  // Removed parts go by their old name, under the old name of their table and the new one.
  for (const { old: was, new: is } of correspondence.contentTypes) {
    const [before, after] = [old.contentTypes[was], next.contentTypes[is]];
    if (before && after) note(places, nameOf(is), before, after.table);
  }
  for (const [uid, type] of typesOf(old)) note(places, nameOf(uid), type);
  for (const [uid, name] of names) places.set(uid, name);
  const components = componentsOf(change);
  return (place) => {
    const known = places.get(place);
    if (known !== undefined) return known;
    const [table = "", second = "", ...rest] = place.split(".");
    if (components.has(`${table}.${second}`)) return place;
    const name = places.get(table);
    const column = places.get(`${table}.${second}`);
    if (column !== undefined) return [column, ...rest].join(".");
    return name === undefined || second === "" ? place : [name, second, ...rest].join(".");
  };
};
