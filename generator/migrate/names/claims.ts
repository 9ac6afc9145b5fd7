/** Which old names continue under which new ones, according to what each new one says it comes from. */

export interface Claim {
  readonly name: string;
  /** The old name; undefined if none is given. */
  readonly from: string | undefined;
}

/**
 * Follows a name to the one that it comes from, and so on, until one has no origin, an unknown one, or one already
 * visited.
 */
const trail = (
  start: Claim,
  byName: ReadonlyMap<string, Claim>,
  isKnown: (name: string) => boolean = () => true,
): readonly Claim[] => {
  const found: Claim[] = [];
  let claim: Claim | undefined = start;
  while (claim?.from !== undefined && isKnown(claim.from) && !found.includes(claim)) {
    found.push(claim);
    claim = byName.get(claim.from);
  }
  return found;
};

const byNameOf = (claims: readonly Claim[]): ReadonlyMap<string, Claim> =>
  new Map(claims.map((claim) => [claim.name, claim]));

/** Names that swap: `a` comes from `b` and `b` from `a`, or more of them in a ring. */
export const ringsOf = (claims: readonly Claim[]): readonly (readonly Claim[])[] => {
  const byName = byNameOf(claims);
  const seen = new Set<Claim>();
  return claims.flatMap((claim) => {
    const ring = trail(claim, byName);
    if (seen.has(claim) || ring.length < 2 || ring.at(-1)?.from !== claim.name) return [];
    for (const each of ring) seen.add(each);
    return [ring];
  });
};

/**
 * The rings that swap now. They stay in the schema afterwards, when all names are the same as before, so snapshots
 * record which have been applied.
 */
const tradingNow = (
  claims: readonly Claim[],
  isKnown: (name: string) => boolean,
  hasTraded: (claim: Claim) => boolean,
): readonly Claim[] =>
  ringsOf(claims)
    .filter((ring) => ring.every(({ name }) => isKnown(name)) && !ring.every(hasTraded))
    .flat();

/**
 * Matches old names with new ones: renames, chains (`b` comes from `a`, and `c` from `b`), and rings. A rename that was
 * already migrated still stands in the schema and is ignored.
 *
 * @param isLeft whether a name may be taken; by default, if nothing has it any more
 * @returns the new name by the old one
 */
export const takenOver = (
  claims: readonly Claim[],
  isKnown: (name: string) => boolean,
  hasTraded: (claim: Claim) => boolean,
  isLeft?: (name: string) => boolean,
): ReadonlyMap<string, string> => {
  const byName = byNameOf(claims);
  const mayTake = isLeft ?? ((name: string) => !byName.has(name));
  const chains = claims
    .filter(({ name }) => !isKnown(name))
    .map((claim) => trail(claim, byName, isKnown))
    .filter((chain) => chain.slice(-1).some(({ from = "" }) => mayTake(from)));
  const taken = new Map<string, string>();
  for (const { name, from = "" } of [...chains.flat(), ...tradingNow(claims, isKnown, hasTraded)])
    if (!taken.has(from)) taken.set(from, name);
  return taken;
};
