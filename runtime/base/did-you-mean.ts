import { distance } from "fastest-levenshtein";

/** The largest share of a name that may differ: beyond it, a suggestion would confuse rather than help. */
const TOLERANCE = 0.4;

const commonPrefix = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
};

/**
 * The known name that `name` was probably meant to be; undefined if none is similar. Among equally similar names, the
 * one with the longest common beginning wins, then the first by code unit.
 */
export const nearest = (name: string, known: Iterable<string>): string | undefined => {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length * TOLERANCE));
  let prefix = -1;
  for (const candidate of [...known].toSorted()) {
    const edits = distance(wanted, candidate.toLowerCase());
    const shared = commonPrefix(wanted, candidate.toLowerCase());
    if (candidate === name || edits > least || (edits === least && shared <= prefix)) continue;
    [best, least, prefix] = [candidate, edits, shared];
  }
  return best;
};

/** The words of a name, however they are joined. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/**
 * How similar two names are, by letters or by words: 1 if they differ only in case, 0 if they have nothing in common.
 */
export const closeness = (a: string, b: string): number => {
  const edits = distance(a.toLowerCase(), b.toLowerCase());
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const shared = left.filter((word) => right.includes(word)).length;
  return Math.max(1 - edits / Math.max(a.length, b.length, 1), shared / Math.max(left.length, right.length));
};

/** ` Did you mean "find"?` for the candidate closest to a misspelt name; an empty string if none is close. */
export const didYouMean = (name: string, known: Iterable<string>): string => {
  const meant = nearest(name, known);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
};
