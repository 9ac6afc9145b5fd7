/**
 * Caches values computed from the database for as long as its snapshot is current. Every lookup asks for
 * the snapshot first, so a cached value is always what computing it again would give.
 */
import { LRUCache } from "lru-cache";
import type { DatabaseSnapshot } from "./snapshots.ts";

/**
 * A key's value is not stored at the first lookup. The more often stored values of a key went unused, the more lookups
 * it takes until the next is stored.
 */
interface Trial {
  /** Lookups since the last value was stored. */
  lookups: number;
  /** Lookups until the next is stored. */
  readonly needed: number;
}

const FIRST: Trial = { lookups: 0, needed: 1 };
const MOST = 64;
/** The trial of a key whose last value was used: the next is stored at once. */
const PASSED: Trial = { lookups: MOST, needed: 1 };
/**
 * How the lookups that every key needs at least grow with each stored value, and shrink with each that is used: about one
 * in five has to be used for storing to be worth it.
 */
const CAUTION = { grows: 1.2, shrinks: 0.4 };
/** Most keys whose trials are remembered. */
const TRIALS = 20_000;
/** Most bytes of their memory together. */
const TRIAL_SIZE = 8_000_000;
/** Bytes that a place in a cache takes beside key and value. */
const PLACE = 200;

/** Bytes of a string's memory: one for each character, unless one of them needs two. */
const bytesOf = (text: string): number => (/[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length);

interface Kept<Value> {
  readonly value: Value;
  readonly snapshot: DatabaseSnapshot;
  wasUsed: boolean;
}

/** What a lookup found: a stored value, or else what is known for computing it. */
export interface Lookup<Value> {
  /** The stored value, which is what computing it would give. */
  readonly value?: Value;
  /** The snapshot of the database before the value is computed, if it was determined. */
  readonly snapshot: DatabaseSnapshot | undefined;
  /** Whether to store the computed value. */
  readonly isWanted: boolean;
}

export interface SnapshotCacheOptions<Value> {
  /** Asks for the snapshot of the database. */
  readonly snapshot: () => Promise<DatabaseSnapshot | undefined>;
  /** Most bytes of memory for everything stored; a single value may take an eighth of that. */
  readonly size: number;
  /** Bytes of memory that a value takes. */
  weigh(value: Value): number;
}

export class SnapshotCache<Value extends object> {
  readonly #snapshot: () => Promise<DatabaseSnapshot | undefined>;
  readonly #kept: LRUCache<string, Kept<Value>>;
  readonly #trials = new LRUCache<string, Trial>({
    max: TRIALS,
    maxSize: TRIAL_SIZE,
    sizeCalculation: (_trial, key) => bytesOf(key) + PLACE,
  });
  /** Lookups that any key needs until its value is stored. */
  #caution = 1;
  /** How many lookups were answered from the cache. */
  hits = 0;

  constructor({ snapshot, size, weigh }: SnapshotCacheOptions<Value>) {
    this.#snapshot = snapshot;
    this.#kept = new LRUCache({
      maxSize: size,
      maxEntrySize: Math.ceil(size / 8),
      sizeCalculation: ({ value }, key) => weigh(value) + bytesOf(key) + PLACE,
    });
  }

  /**
   * The value for `key`: the stored one, or the result of `make`.
   *
   * @param make computes the value from nothing but the database; is given the snapshot, if it was determined
   * @param known the snapshot, if the caller has asked for it since its own request arrived
   */
  async recall(
    key: string,
    make: (snapshot: DatabaseSnapshot | undefined) => Promise<Value>,
    known?: DatabaseSnapshot,
  ): Promise<Value> {
    const found = await this.lookUp(key, known);
    if (found.value !== undefined) return found.value;
    const value = await make(found.snapshot);
    this.store(key, value, found);
    return value;
  }

  /**
   * Looks for the value of `key`. If there is none, compute it and pass it to {@link store}.
   *
   * @param known the snapshot, if the caller has asked for it since its own request arrived
   */
  async lookUp(key: string, known?: DatabaseSnapshot): Promise<Lookup<Value>> {
    const kept = this.#kept.get(key);
    if (!kept && this.#isOnTrial(key)) return { snapshot: known, isWanted: false };
    const snapshot = known ?? (await this.#snapshot().catch(() => undefined));
    if (snapshot === undefined) return { snapshot, isWanted: false };
    if (kept?.snapshot === snapshot) {
      if (!kept.wasUsed) this.#caution = Math.max(this.#caution * CAUTION.shrinks, 1);
      kept.wasUsed = true;
      this.hits += 1;
      return { value: kept.value, snapshot, isWanted: false };
    }
    return { snapshot, isWanted: !kept || this.#outlived(key, kept) };
  }

  /** Stores a value that was computed after a lookup, unless the lookup found that it is not worth it. */
  store(key: string, value: Value, { snapshot, isWanted }: Lookup<Value>): void {
    if (!isWanted || snapshot === undefined) return;
    this.#caution = Math.min(this.#caution * CAUTION.grows, MOST);
    // If something was committed since the lookup, the snapshot has passed for good, and this value is never returned.
    this.#kept.set(key, { value, snapshot, wasUsed: false });
  }

  /** The stored value, whatever has been committed since. */
  peek(key: string): Value | undefined {
    return this.#kept.peek(key)?.value;
  }

  /** Forgets the stored value, because it no longer holds. */
  drop(key: string): void {
    const kept = this.#kept.peek(key);
    if (kept) this.#outlived(key, kept);
  }

  /** Call it when the weight of a stored value has changed. */
  weighAgain(key: string): void {
    const kept = this.#kept.peek(key);
    // The cache weighs a value only when it is stored, so a new object is stored.
    if (kept) this.#kept.set(key, { ...kept });
  }

  #isOnTrial(key: string): boolean {
    let trial = this.#trials.get(key);
    if (trial === undefined) {
      trial = { ...FIRST };
      this.#trials.set(key, trial);
    }
    if (trial.lookups >= Math.max(trial.needed, Math.round(this.#caution))) return false;
    trial.lookups += 1;
    return true;
  }

  /**
   * Forgets a value that no longer holds. Returns whether to store the next one at once: if this one was never used, that
   * waits, longer each time.
   */
  #outlived(key: string, { wasUsed }: Kept<Value>): boolean {
    this.#kept.delete(key);
    const { needed } = this.#trials.get(key) ?? FIRST;
    this.#trials.set(key, wasUsed ? { ...PASSED } : { lookups: 0, needed: Math.min(needed * 2, MOST) });
    return wasUsed;
  }
}
