/** What corresponds on both sides of a migration. */

/** Names on both sides of a migration. */
export interface Pair {
  readonly old: string;
  readonly new: string;
}

export interface Pairing extends Pair {
  readonly attributes: readonly Pair[];
}

/** A field of a type or component: the uid of that, and its name. */
interface FieldPlace {
  readonly owner: string;
  readonly name: string;
}

/** A field that continues in another type or component. */
export interface FieldMove {
  readonly from: FieldPlace;
  readonly to: FieldPlace;
}

export interface Correspondence {
  /** By uid. */
  readonly contentTypes: readonly Pairing[];
  readonly components: readonly Pairing[];
  /**
   * Components that say they come from one that still exists: attributes that held that one and hold this one now keep
   * their entries.
   */
  readonly successors: readonly Pairing[];
  readonly moves: readonly FieldMove[];
}

const invertPair = (pair: Pair): Pair => ({ old: pair.new, new: pair.old });
const invertPairing = (pairing: Pairing): Pairing => ({
  ...invertPair(pairing),
  attributes: pairing.attributes.map(invertPair),
});

/** The same in reverse, for the way back. */
export const invert = ({ contentTypes, components, successors, moves }: Correspondence): Correspondence => ({
  contentTypes: contentTypes.map(invertPairing),
  components: components.map(invertPairing),
  successors: successors.map(invertPairing),
  moves: moves.map(({ from, to }) => ({ from: to, to: from })),
});
