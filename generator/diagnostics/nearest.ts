import { distance } from "fastest-levenshtein";

/** At most this share of a name may differ for a suggestion to be more help than noise. */
const TOLERANCE = 0.4;

/** The known name that `name` was probably meant to be, or undefined when none is close. Ties go to the first by code unit. */
export const nearest = (name: string, known: Iterable<string>): string | undefined => {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length * TOLERANCE)) + 1;
  for (const candidate of [...known].toSorted()) {
    const edits = distance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < least && candidate !== name) [best, least] = [candidate, edits];
  }
  return best;
};
