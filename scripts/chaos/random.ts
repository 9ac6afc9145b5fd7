/** Repeatable randomness: the same seed gives the same choices in the same order. */

export interface Random {
  /** A number from 0 up to, and without, 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `bound`. */
  below(bound: number): number;
  chance(probability: number): boolean;
  /** One of them. @throws Error when there is none */
  pick<Item>(items: readonly Item[]): Item;
  /** Some of them, in any order. */
  some<Item>(items: readonly Item[]): Item[];
}

/** Uses mulberry32: 32 bits of state are plenty for this purpose. */
export const createRandom = (seed: number): Random => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("there is nothing to pick from");
      return item;
    },
    some: (items) => items.filter(() => next() < 0.4),
  };
};
