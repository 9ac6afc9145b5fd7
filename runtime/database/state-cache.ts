/**
 * Caches values computed from the database for as long as the state of the database is unchanged. Every lookup asks for
 * the state first, so a cached value is always what computing it again would give.
 */
import { LRUCache } from "lru-cache";
import type { State } from "./states.ts";

/**
 * A key's value is not stored at the first lookup. The more often stored values of a key went unused, the more lookups
 * it takes until the next is stored.
 */
interface Trial {
  /** Lookups left until the value is stored. */
  left: number;
  readonly next: number;
}

const FIRST: Trial = { left: 1, next: 2 };
const MOST = 64;
/** Most keys whose trials are remembered. */
const TRIALS = 20_000;

interface Kept<Value> {
  readonly value: Value;
  readonly state: State;
  wasUsed: boolean;
}

export interface StateCacheOptions<Value> {
  /** Asks for the state of the database. */
  readonly state: () => Promise<State | undefined>;
  /** Most weight of all stored values together; a single value may have an eighth of that. */
  readonly size: number;
  weigh(value: Value, key: string): number;
}

export class StateCache<Value extends object> {
  readonly #state: () => Promise<State | undefined>;
  readonly #kept: LRUCache<string, Kept<Value>>;
  readonly #trials = new LRUCache<string, Trial>({ max: TRIALS });
  /** How many lookups were answered from the cache. */
  hits = 0;

  constructor({ state, size, weigh }: StateCacheOptions<Value>) {
    this.#state = state;
    this.#kept = new LRUCache({
      maxSize: size,
      maxEntrySize: Math.ceil(size / 8),
      sizeCalculation: ({ value }, key) => weigh(value, key) + key.length,
    });
  }

  /**
   * The value for `key`: the stored one, or the result of `make`.
   *
   * @param make computes the value from nothing but the database; is given the state, if it was determined
   * @param known the state, if the caller has asked for it since its own request arrived
   */
  async recall(key: string, make: (state: State | undefined) => Promise<Value>, known?: State): Promise<Value> {
    const kept = this.#kept.get(key);
    if (!kept && this.#isOnTrial(key)) return make(known);
    const state = known ?? (await this.#state().catch(() => undefined));
    if (state === undefined) return make(undefined);
    if (kept?.state === state) {
      kept.wasUsed = true;
      this.hits += 1;
      return kept.value;
    }
    if (kept && !kept.wasUsed) return this.#giveUp(key, () => make(state));
    if (kept) this.#trials.set(key, { ...FIRST, left: 0 });
    const value = await make(state);
    // If something was committed while `make` ran, the state has passed for good, and this value is never returned.
    this.#kept.set(key, { value, state, wasUsed: false });
    return value;
  }

  /** Call it when the weight of a stored value has changed. */
  weighAgain(key: string): void {
    const kept = this.#kept.peek(key);
    // The cache weighs a value only when it is stored, so a new object is stored.
    if (kept) this.#kept.set(key, { ...kept });
  }

  #isOnTrial(key: string): boolean {
    const trial = this.#trials.get(key);
    if (trial === undefined) this.#trials.set(key, { ...FIRST, left: FIRST.left - 1 });
    else if (trial.left > 0) trial.left -= 1;
    else return false;
    return true;
  }

  /**
   * Computes the value without storing it, and waits longer before the next attempt: the last stored value was never
   * used.
   */
  #giveUp(key: string, make: () => Promise<Value>): Promise<Value> {
    this.#kept.delete(key);
    const { next } = this.#trials.get(key) ?? FIRST;
    this.#trials.set(key, { left: next - 1, next: Math.min(next * 2, MOST) });
    return make();
  }
}
