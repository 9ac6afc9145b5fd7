/**
 * Which statements are kept prepared. A prepared statement costs memory on both sides for as long as its connection
 * lives, and clients choose the shapes of their queries: a statement is prepared when it comes again, and no more than
 * so many of them are.
 */
import { LRUCache } from "lru-cache";

/** Statements that are prepared at a time. */
const STATEMENTS = 500;
/** Statements that were seen once and are waited for to come again. */
const SEEN = 2000;

/**
 * When all places are taken, they are given anew after this time, in milliseconds, to what comes then. Connections
 * live no longer, so that none holds more than the statements of two such times.
 */
export const RENEWAL = 600_000;

/** Whether to run a statement prepared; to be asked each time that one runs. */
export type Preparation = (sql: string) => boolean;

/** `clock` tells milliseconds. */
export const createPreparation = (clock: () => number = Date.now): Preparation => {
  const seen = new LRUCache<string, true>({ max: SEEN });
  const prepared = new Set<string>();
  let renewed = clock();
  return (sql) => {
    if (prepared.has(sql)) return true;
    if (!seen.has(sql)) {
      seen.set(sql, true);
      return false;
    }
    if (prepared.size >= STATEMENTS) {
      if (clock() - renewed < RENEWAL) return false;
      prepared.clear();
      renewed = clock();
    }
    seen.delete(sql);
    prepared.add(sql);
    return true;
  };
};
