/** Reconstructs changes, one or several at once, from their snapshots. */
import type { Change } from "../change.ts";
import type { AttributeHints } from "../convert.ts";
import type { FieldMove, Pairing } from "../names/pairings.ts";
import { nameOf, ownerOf, ownersOf, recall, type Threads } from "../names/recall.ts";
import { follow } from "../names/threads.ts";
import type { Snapshot } from "../snapshot.ts";

interface Passage {
  readonly threads: Threads;
  readonly hints: Change["hints"];
  readonly successors: readonly Pairing[];
}

const passageOf = (old: Snapshot, next: Snapshot): Passage => ({
  threads: recall(old, next),
  hints: new Map(Object.entries(next.hinted ?? {})),
  successors: next.successors ?? [],
});

type Renamed = Readonly<Record<string, string>>;

/** Old value by new, across the values in between. */
const joinValues = (first: Renamed, second: Renamed): Renamed => {
  const goesOn = new Set(Object.values(second));
  return {
    ...Object.fromEntries(Object.entries(first).filter(([between]) => !goesOn.has(between))),
    ...Object.fromEntries(Object.entries(second).map(([to, between]) => [to, first[between] ?? between])),
  };
};

const joinHints = (first: AttributeHints = {}, second: AttributeHints = {}): AttributeHints => {
  const convert = second.convert ?? first.convert;
  const renamedValues = joinValues(first.renamedValues ?? {}, second.renamedValues ?? {});
  return { ...(convert === undefined ? {} : { convert }), renamedValues };
};

const join = (first: Passage, second: Passage): Passage => ({
  threads: follow(first.threads, second.threads),
  hints: new Map(
    [...second.threads].map(([is, between]) => [is, joinHints(first.hints.get(between), second.hints.get(is))]),
  ),
  successors: [...first.successors, ...second.successors],
});

const pairingsOf = (owners: Snapshot["components"], threads: Threads): readonly Pairing[] =>
  Object.entries(owners).flatMap(([uid, { attributes }]) => {
    const old = threads.get(uid);
    if (old === undefined) return [];
    const pairs = Object.keys(attributes).flatMap((name) => {
      const was = threads.get(`${uid}.${name}`);
      return was !== undefined && ownerOf(was) === old ? [{ old: nameOf(was), new: name }] : [];
    });
    return [{ old, new: uid, attributes: pairs }];
  });

/** Fields that continue in a type or component other than the successor of their own. */
const movesIn = (next: Snapshot, threads: Threads): readonly FieldMove[] =>
  Object.entries(ownersOf(next)).flatMap(([uid, { attributes }]) =>
    Object.keys(attributes).flatMap((name) => {
      const was = threads.get(`${uid}.${name}`);
      if (was === undefined || ownerOf(was) === threads.get(uid)) return [];
      return [{ from: { owner: ownerOf(was), name: nameOf(was) }, to: { owner: uid, name } }];
    }),
  );

/**
 * The change from the first of some snapshots to the last, each based on the one before.
 *
 * @param defaultLocale for content that has none, if the last one does not name it
 */
export const recordedChange = (snapshots: readonly Snapshot[], defaultLocale: string): Change => {
  const [old, ...others] = snapshots;
  const next = others.at(-1);
  if (old === undefined || next === undefined) throw new Error("a change has two sides");
  const { threads, hints, successors } = others
    .map((each, index) => passageOf(snapshots[index] ?? old, each))
    .reduce(join);
  return {
    old,
    next,
    correspondence: {
      contentTypes: pairingsOf(next.contentTypes, threads),
      components: pairingsOf(next.components, threads),
      successors,
      moves: movesIn(next, threads),
    },
    hints,
    defaultLocale: next.localizedAs ?? defaultLocale,
  };
};
