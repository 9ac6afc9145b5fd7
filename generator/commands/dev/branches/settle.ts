/** Merges what was set aside of a row, what it held before the tables changed, and what it holds now. */
import { isDeepStrictEqual as isEqual } from "node:util";
import { isEntries, isList, type Json, type Leaves, placeOf } from "./leaves.ts";

/** The part of a row that was set aside, by leaf. */
export interface Aside {
  readonly [leaf: string]: {
    readonly value: Json;
    /** The value that has taken its place since; undefined if none has. */
    readonly seen?: Json | undefined;
  };
}

type ByPlace = ReadonlyMap<string, Json>;

const byPlace = (leaves: Leaves): ByPlace => new Map([...leaves].map(([key, value]) => [placeOf(key), value]));

const entriesOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

/** The id of an entry, in a leaf of it or in the list. */
const ID = /(?<=\/|^)\d+(?=[ /])/g;

const idOf = (entry?: Json): string => String(String(entry).match(ID));

/** Whether all entries have other ids, as those that are published do. */
const haveNewIds = (was: readonly Json[], is: readonly Json[]): boolean => {
  const [old, now] = [was, is].map((list) => list.map((entry) => String(entry).replace(ID, "")));
  return isEqual(old, now) && !was.some((entry) => is.includes(entry));
};

/** Adds to a list the entries of another one that it lacks and that are not in `seen`, at their position there. */
const withMissing = (list: Json | undefined, all: Json, seen?: Json): readonly Json[] => {
  const result = [...entriesOf(list)];
  let at = 0;
  for (const entry of entriesOf(all)) {
    const found = result.indexOf(entry);
    if (found !== -1) at = found + 1;
    else if (!entriesOf(seen).includes(entry)) result.splice(at++, 0, entry);
  }
  return result;
};

/** All that is known of a row before the tables change: a value written at the same place is newer. */
const knownBefore = (aside: Aside, before: Leaves): Map<string, Json> => {
  const known = new Map(before);
  const isHidden = Object.entries(aside).some(([key, { seen }]) => placeOf(key) === "" && seen === undefined);
  if (before.size === 0 && !isHidden) return known;
  const standing = byPlace(before);
  const ids = new Map<string, string>();
  const renewed = (text: Json): string => String(text).replaceAll(ID, (id) => ids.get(id) ?? id);
  for (const [former, { value, seen }] of Object.entries(aside)) {
    const key = renewed(former);
    const stands = standing.get(placeOf(key));
    if (isEntries(key)) {
      const [was, is] = [entriesOf(seen), entriesOf(stands)];
      if (haveNewIds(was, is)) for (const [at, entry] of was.entries()) ids.set(idOf(entry), idOf(is[at]));
      known.set(key, withMissing(is, entriesOf(value).map(renewed), was.map(renewed)));
    } else if (!before.has(key) && isEqual(stands, seen)) known.set(key, value);
  }
  return known;
};

/** Values of removed places, as text: they may have moved to a new place. */
const goneValues = (before: Leaves, standing: ByPlace): ReadonlySet<string> =>
  new Set([...before].flatMap(([key, value]) => (standing.has(placeOf(key)) ? [] : [JSON.stringify(value)])));

/**
 * All that is known of a row after the tables have changed.
 *
 * @param isRedone whether migrations were undone: a value may have gone and come back as something else
 */
export const settle = (aside: Aside, before: Leaves, after: Leaves, isRedone: boolean): Leaves => {
  const known = knownBefore(aside, before);
  const [stood, stands] = [byPlace(before), byPlace(after)];
  const gone = goneValues(before, stands);
  // Then the current value is newer than the known one.
  const isWritten = after.size > 0 && stood.get("updated_at") !== stands.get("updated_at");
  const isNewer = (place: string): boolean =>
    isWritten && stood.has(place) && stands.has(place) && String(stood.get(place)) !== String(stands.get(place));
  for (const key of known.keys()) if (!isEntries(key) && isNewer(placeOf(key))) known.delete(key);
  const isKept = (key: string, value: Json): boolean => {
    if (before.has(key)) return isRedone && !isWritten;
    // A value that came back by itself was stored under another name, and is newer.
    return before.size > 0 && known.has(key) && (stood.has(placeOf(key)) || !gone.has(JSON.stringify(value)));
  };
  for (const [key, value] of after) {
    if (isEntries(key)) known.set(key, withMissing(value, known.get(key) ?? []));
    else if (!isKept(key, value)) known.set(key, value);
  }
  return known;
};

/** The part of it that is not visible now, kept for the next time, and all lists: ids of entries may change. */
export const leftAside = (known: Leaves, shown: Leaves): Aside => {
  const standing = byPlace(shown);
  const hidden = [...known].filter(([key, value]) => !isEqual(shown.get(key), value));
  const lists = hidden.length === 0 ? [] : [...known].filter(([key]) => isEntries(key));
  return Object.fromEntries(
    [...lists, ...hidden].map(([key, value]) => {
      const seen = standing.get(placeOf(key));
      return [key, { value, ...(seen === undefined ? {} : { seen }) }];
    }),
  );
};
