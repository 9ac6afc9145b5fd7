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
  for (const [key, { value, seen }] of Object.entries(aside)) {
    if (isEntries(key)) known.set(key, withMissing(standing.get(placeOf(key)), value, seen));
    else if (!before.has(key) && isEqual(standing.get(placeOf(key)), seen)) known.set(key, value);
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

/** The part of it that is not visible now, kept for the next time. */
export const leftAside = (known: Leaves, shown: Leaves): Aside => {
  const standing = byPlace(shown);
  return Object.fromEntries(
    [...known].flatMap(([key, value]) => {
      const seen = standing.get(placeOf(key));
      return isEqual(shown.get(key), value) ? [] : [[key, { value, ...(seen === undefined ? {} : { seen }) }]];
    }),
  );
};
