/** Follows every name through one migration, and through several in a row. */
import type { Change } from "../change.ts";
import type { Snapshot } from "../snapshot.ts";
import { meaning } from "./meaning.ts";
import { ownersOf, placesOf, recall, type Threads } from "./recall.ts";

/** The outline of the attribute at each place. */
const outlinesOf = (snapshot: Snapshot): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(ownersOf(snapshot)).flatMap(([uid, { attributes }]) =>
      Object.entries(attributes).map(([name, attribute]) => [`${uid}.${name}`, meaning(attribute)] as const),
    ),
  );

export const threadsOf = ({ old, correspondence }: Pick<Change, "old" | "correspondence">): Threads => {
  const { contentTypes, components, moves } = correspondence;
  const threads = new Map(
    [...contentTypes, ...components].flatMap((pairing) => [
      [pairing.new, pairing.old] as const,
      ...pairing.attributes.map((pair) => [`${pairing.new}.${pair.new}`, `${pairing.old}.${pair.old}`] as const),
    ]),
  );
  const [known, kept] = [new Set(placesOf(old)), new Set(threads.values())];
  for (const { from, to } of moves) {
    const [was, is] = [`${from.owner}.${from.name}`, `${to.owner}.${to.name}`];
    // One that was already migrated still stands in the schema.
    if (known.has(was) && !kept.has(was) && !threads.has(is)) threads.set(is, was);
  }
  return threads;
};

/** What a snapshot records of a migration besides its result; empty if names and values are unchanged. */
export const recordChange = (change: Change): Pick<Snapshot, "renamed" | "successors" | "hinted"> => {
  const { old, next, hints } = change;
  const threads = threadsOf(change);
  const successors = change.correspondence.successors.map((each) => ({ ...each, attributes: [...each.attributes] }));
  const renamed = [...threads].filter(([is, was]) => is !== was);
  const [before, after] = [outlinesOf(old), outlinesOf(next)];
  const hinted = [...threads].flatMap(([is, was]) => {
    const { convert: written, renamedValues } = hints.get(is) ?? {};
    const outline = after.get(is);
    const convert = outline === before.get(was) ? undefined : written;
    if (outline === undefined || (convert ?? renamedValues) === undefined) return [];
    return [
      [is, { ...(convert === undefined ? {} : { convert }), ...(renamedValues ? { renamedValues } : {}) }] as const,
    ];
  });
  return {
    ...(renamed.length === 0 ? {} : { renamed: Object.fromEntries(renamed) }),
    ...(successors.length === 0 ? {} : { successors }),
    ...(hinted.length === 0 ? {} : { hinted: Object.fromEntries(hinted) }),
  };
};

/** From the first names to the last ones. */
export const follow = (first: Threads, second: Threads): Threads =>
  new Map(
    [...second].flatMap(([is, between]) => {
      const was = first.get(between);
      return was === undefined ? [] : [[is, was] as const];
    }),
  );

/** Whether each name of `kept` continues from the same origin in `all`, which may keep more. */
const isWithin = (kept: Threads, all: Threads): boolean => [...kept].every(([is, was]) => all.get(is) === was);

/**
 * Whether one migration from `base` keeps all content that the existing ones (`made`, oldest first) followed by `last`
 * keep: no name passes through a third one, and no value is converted or renamed twice. It may keep more: what was
 * removed and came back was never gone, and a conversion that was reverted never happened.
 *
 * @param last what follows the existing ones; it may change nothing
 * @param direct what the one migration would do
 */
export const keepsAsMuch = (base: Snapshot, made: readonly Snapshot[], last: Change, direct: Change): boolean => {
  let [before, threads]: [Snapshot, Threads] = [base, new Map(placesOf(base).map((place) => [place, place]))];
  for (const snapshot of made) {
    threads = follow(threads, recall(before, snapshot));
    before = snapshot;
  }
  const lastThreads = threadsOf(last);
  const directThreads = threadsOf(direct);
  if (!isWithin(follow(threads, lastThreads), directThreads)) return false;

  const [first, between, after] = [outlinesOf(base), outlinesOf(last.old), outlinesOf(last.next)];
  const hintedBefore = made.flatMap(({ hinted = {} }) => Object.entries(hinted));
  const isAsItWas = (place: string): boolean => {
    const was = directThreads.get(place);
    return was !== undefined && after.get(place) === first.get(was);
  };
  const isKept = hintedBefore.every(([place, { convert, renamedValues }]) => {
    if (isAsItWas(place)) return true;
    const now = direct.hints.get(place);
    const isSaid = now?.convert === convert && JSON.stringify(now?.renamedValues) === JSON.stringify(renamedValues);
    return isSaid && lastThreads.get(place) === place && after.get(place) === between.get(place);
  });
  const { hinted = {} } = recordChange(last);
  return (
    isKept &&
    Object.keys(hinted).every((place) => {
      if (isAsItWas(place)) return true;
      const middle = lastThreads.get(place) ?? place;
      const start = threads.get(middle);
      return start === undefined || first.get(start) === between.get(middle);
    })
  );
};
