/** Orders renames so that no new name is still in use. */

export interface Renaming {
  readonly from: string;
  readonly to: string;
  /** The rename that it completes; undefined if names swap, and one steps aside first. */
  readonly ends: { readonly was: string; readonly is: string } | undefined;
}

/** A temporary name for what steps aside: there is one at a time. */
const ASIDE = "galley_aside";

export const inOrder = (names: ReadonlyMap<string, string>): readonly Renaming[] => {
  const waiting = new Map([...names].map(([was, is]) => [was, { is, was }]));
  const ordered: Renaming[] = [];
  while (waiting.size > 0) {
    const free = [...waiting].find(([, { is }]) => !waiting.has(is));
    const [from, ends] = free ?? [...waiting][0] ?? [];
    if (from === undefined || ends === undefined) break;
    waiting.delete(from);
    if (free) ordered.push({ from, to: ends.is, ends });
    else {
      ordered.push({ from, to: ASIDE, ends: undefined });
      waiting.set(ASIDE, ends);
    }
  }
  return ordered;
};
