import { distance } from "fastest-levenshtein";

/** ` Did you mean "find"?` for the candidate nearest to a misspelt name, or an empty text when none is near. */
export const didYouMean = (name: string, candidates: Iterable<string>): string => {
  const lower = name.toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(2, Math.floor(name.length * 0.4)) + 1;
  for (const candidate of candidates) {
    const away = distance(lower, candidate.toLowerCase());
    if (away < least) {
      least = away;
      nearest = candidate;
    }
  }
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
};
