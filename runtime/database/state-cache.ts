/**
 * Keeps what was worked out from the database for as long as the database is in the state that it was worked out in.
 * What is given back is what working it out again would give: states are asked for by every call that may use one.
 */
import { LRUCache } from "lru-cache";
import type { State } from "./states.ts";

/** A key is not kept when it is first asked for; and the longer not, the more often it was kept in vain. */
interface Trial {
  /** How often it is worked out before it is kept. */
  left: number;
  readonly next: number;
}

const FIRST: Trial = { left: 1, next: 2 };
const MOST = 64;
/** Keys whose trials are known. */
const TRIALS = 20_000;

interface Kept<Value> {
  readonly value: Value;
  readonly state: State;
  wasUsed: boolean;
}

export interface StateCacheOptions<Value> {
  /** Asks for the state of the database. */
  readonly state: () => Promise<State | undefined>;
  /** Most that everything kept may weigh together; one value may weigh an eighth of it. */
  readonly size: number;
  weigh(value: Value, key: string): number;
}

export class StateCache<Value extends object> {
  readonly #state: () => Promise<State | undefined>;
  readonly #kept: LRUCache<string, Kept<Value>>;
  readonly #trials = new LRUCache<string, Trial>({ max: TRIALS });
  /** How often a value was given back instead of being worked out. */
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
   * The value under `key`: what is kept, or what `make` works out.
   *
   * @param make reads nothing but the database; it is told the state, where that was asked for
   * @param known the state, where it has been asked for since the caller's own request came
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
    // Should something have been committed meanwhile, the state is never the same again, and this is never given back.
    this.#kept.set(key, { value, state, wasUsed: false });
    return value;
  }

  /** What is kept weighs something else now. */
  weighAgain(key: string): void {
    const kept = this.#kept.peek(key);
    // The cache weighs only what is new to it.
    if (kept) this.#kept.set(key, { ...kept });
  }

  #isOnTrial(key: string): boolean {
    const trial = this.#trials.get(key);
    if (trial === undefined) this.#trials.set(key, { ...FIRST, left: FIRST.left - 1 });
    else if (trial.left > 0) trial.left -= 1;
    else return false;
    return true;
  }

  /** Nobody asked again before something else was committed. */
  #giveUp(key: string, make: () => Promise<Value>): Promise<Value> {
    this.#kept.delete(key);
    const { next } = this.#trials.get(key) ?? FIRST;
    this.#trials.set(key, { left: next - 1, next: Math.min(next * 2, MOST) });
    return make();
  }
}
