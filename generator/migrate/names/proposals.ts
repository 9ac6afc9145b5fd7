/** Removed names beside added ones of the same shape: likely renames, which only a person can confirm. */
import { closeness } from "../../../runtime/base/did-you-mean.ts";
import type { Change } from "../change.ts";
import { conversionOf } from "../convert.ts";
import { own } from "../own.ts";
import type { AttributeOutline, ContentTypeOutline } from "../snapshot.ts";
import type { Naming } from "../step.ts";
import { meaning } from "./meaning.ts";
import { nameOf, ownerOf, ownersOf, type Threads } from "./recall.ts";
import { threadsOf } from "./threads.ts";

type Outlines = Readonly<Record<string, { readonly attributes: Readonly<Record<string, AttributeOutline>> }>>;

interface Candidate {
  readonly was: string;
  readonly is: string;
  /** From 0 (nothing in common) to 1 (identical). */
  readonly likeness: number;
}

/** A lower similarity counts as two different things, unless there is no other candidate. */
const LIKELY = 0.35;

/** Uses each name once, the likeliest pairs first. */
const choose = (
  gone: readonly string[],
  come: readonly string[],
  likeness: (was: string, is: string) => number,
): readonly Candidate[] => {
  const all = gone.flatMap((was) => come.map((is): Candidate => ({ was, is, likeness: likeness(was, is) })));
  const chosen: Candidate[] = [];
  for (const each of all.toSorted((a, b) => b.likeness - a.likeness)) {
    const isFree = !chosen.some(({ was, is }) => was === each.was || is === each.is);
    const isOnly = gone.length === 1 && come.length === 1;
    if (isFree && each.likeness > 0 && (each.likeness >= LIKELY || isOnly)) chosen.push(each);
  }
  return chosen;
};

/** An old attribute's meaning, with types and components under their present names. */
const meaningNow = (attribute: AttributeOutline, threads: Threads): string => {
  const names = new Map([...threads].map(([is, was]) => [JSON.stringify(was), JSON.stringify(is)]));
  return meaning(attribute).replaceAll(/"[^"]+"/g, (name) => names.get(name) ?? name);
};

/** How well the values of one attribute fit another: 1 if nothing changes, 0 if they are meaningless there. */
const fit = (was: AttributeOutline, is: AttributeOutline, threads: Threads): number => {
  if (meaningNow(was, threads) === meaning(is)) return 1;
  if (was.kind !== is.kind) return 0;
  if (was.kind !== "scalar" || is.kind !== "scalar") return was.kind === "dynamiczone" ? 0.5 : 0;
  if (was.type === is.type) return 0.7;
  const { kind } = conversionOf(was.type, is.type);
  return kind === "free" || kind === "lossless" ? 0.5 : 0;
};

/** The share that both have in common. */
const ownerLikeness = (was: Outlines[string], is: Outlines[string], names: readonly [string, string]): number => {
  const [before, after] = [Object.entries(was.attributes), Object.entries(is.attributes)];
  const shared = before.filter(([name, outline]) => {
    const other = own(is.attributes, name);
    return other !== undefined && meaning(other) === meaning(outline);
  }).length;
  const overlap = shared / Math.max(before.length, after.length, 1);
  return overlap === 0 ? 0 : 0.7 * overlap + 0.3 * closeness(...names);
};

const unthreaded = (names: readonly string[], taken: ReadonlySet<string>, prefix = ""): readonly string[] =>
  names.filter((name) => !taken.has(prefix + name));

const tableOf = (owner: Partial<ContentTypeOutline>): string | undefined => owner.table;

const proposeOwners = (what: string, old: Outlines, next: Outlines, threads: Threads): readonly string[] => {
  const gone = unthreaded(Object.keys(old), new Set(threads.values()));
  const come = unthreaded(Object.keys(next), new Set(threads.keys()));
  return choose(gone, come, (was, is) => {
    const [before, after] = [old[was], next[is]];
    if (!before || !after) return 0;
    if (tableOf(before) !== undefined && tableOf(before) === tableOf(after)) return 1;
    return ownerLikeness(before, after, [nameOf(was), nameOf(is)]);
  }).map(
    ({ was, is }) => `${what} ${was} as ${is}: write "renamedFrom": ${JSON.stringify(was)} into the info of ${is}`,
  );
};

const proposeAttributes = (old: Outlines, next: Outlines, threads: Threads, naming: Naming): readonly string[] => {
  const [taken, known] = [new Set(threads.values()), new Set(threads.keys())];
  return Object.entries(next).flatMap(([uid, { attributes: after }]) => {
    const oldUid = threads.get(uid);
    const before = old[oldUid ?? ""]?.attributes;
    if (oldUid === undefined || before === undefined) return [];
    const gone = unthreaded(Object.keys(before), taken, `${oldUid}.`);
    const come = unthreaded(Object.keys(after), known, `${uid}.`);
    return choose(gone, come, (was, is) => {
      const [from, to] = [before[was], after[is]];
      return from && to ? fit(from, to, threads) * (0.4 + 0.6 * closeness(was, is)) : 0;
    }).map(({ was, is }) => {
      const owner = naming(uid);
      return `${owner}.${was} as ${owner}.${is}: write "renamedFrom": ${JSON.stringify(was)} into ${is}`;
    });
  });
};

const renamedValues = (hints: Change["hints"], place: string): ReadonlySet<string> =>
  new Set(Object.entries(hints.get(place)?.renamedValues ?? {}).flat());

const proposeValues = ({ hints }: Change, old: Outlines, next: Outlines, threads: Threads, naming: Naming) =>
  Object.entries(next).flatMap(([uid, { attributes }]) =>
    Object.entries(attributes).flatMap(([name, outline]) => {
      const place = `${uid}.${name}`;
      const was = threads.get(place) ?? "";
      const before = own(own(old, ownerOf(was))?.attributes, nameOf(was));
      if (before?.kind !== "scalar" || outline.kind !== "scalar") return [];
      const told = renamedValues(hints, place);
      const gone = (before.enum ?? []).filter((each) => !outline.enum?.includes(each) && !told.has(each));
      const come = (outline.enum ?? []).filter((each) => !before.enum?.includes(each) && !told.has(each));
      const pairs = choose(gone, come, (from, to) => 0.2 + 0.8 * closeness(from, to));
      if (pairs.length === 0) return [];
      const values = Object.fromEntries(pairs.map((pair) => [pair.is, pair.was]));
      const list = pairs.map((pair) => `${pair.was} as ${pair.is}`).join(", ");
      return [`${list} in ${naming(uid)}.${name}: write "renamedValues": ${JSON.stringify(values)} into ${name}`];
    }),
  );

/** Likely renames, one per line, each with what to write if it is one. None is applied automatically. */
export const proposeRenames = (change: Change, naming: Naming): readonly string[] => {
  const threads = threadsOf(change);
  const { old, next } = change;
  const [before, after] = [ownersOf(old), ownersOf(next)];
  return [
    ...proposeOwners("the content type", old.contentTypes, next.contentTypes, threads),
    ...proposeOwners("the component", old.components, next.components, threads),
    ...proposeAttributes(before, after, threads, naming),
    ...proposeValues(change, before, after, threads, naming),
  ];
};
