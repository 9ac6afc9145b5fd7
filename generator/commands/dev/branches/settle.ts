/** Brings together what is set aside of a row, what stood in it before the tables changed, and what stands in it now. */
import { isDeepStrictEqual as isEqual } from "node:util";
import { isEntries, isList, type Json, type Leaves, placeOf } from "./leaves.ts";

/** What is set aside of a row, by leaf. */
export interface Aside {
  readonly [leaf: string]: {
    readonly value: Json;
    /** What has stood in its place since; undefined where nothing has. */
    readonly seen?: Json | undefined;
  };
}

type ByPlace = ReadonlyMap<string, Json>;

const byPlace = (leaves: Leaves): ByPlace => new Map([...leaves].map(([key, value]) => [placeOf(key), value]));

const entriesOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);

/** Puts entries that a list lacks, other than `seen`, where they stand in another one. */
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

/** All that is known of a row before the tables change: what was written in the place of something is newer. */
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

/** Values of places that are gone, as text: they may have moved to a place that is new. */
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
  // Then what stands there is newer than what is known.
  const isWritten = after.size > 0 && stood.get("updated_at") !== stands.get("updated_at");
  const isKept = (key: string, value: Json): boolean => {
    if (before.has(key)) return isRedone && !isWritten;
    // What has come back by itself was stored under another name, and is newer.
    return before.size > 0 && known.has(key) && (stood.has(placeOf(key)) || !gone.has(JSON.stringify(value)));
  };
  for (const [key, value] of after) {
    if (isEntries(key)) known.set(key, withMissing(value, known.get(key) ?? []));
    else if (!isKept(key, value)) known.set(key, value);
  }
  return known;
};

/** What of that is not shown, for the next time. */
export const leftAside = (known: Leaves, shown: Leaves): Aside => {
  const standing = byPlace(shown);
  return Object.fromEntries(
    [...known].flatMap(([key, value]) => {
      const seen = standing.get(placeOf(key));
      return isEqual(shown.get(key), value) ? [] : [[key, { value, ...(seen === undefined ? {} : { seen }) }]];
    }),
  );
};
