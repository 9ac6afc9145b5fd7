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

/** Milliseconds for which nothing is prepared after tables have changed: one change seldom comes alone. */
export const PAUSE = 5000;

export interface Preparation {
  /**
   * The text under which to run a statement prepared; undefined to run it as it is. To be asked each time that one runs.
   */
  textOf(sql: string): string | undefined;
  /**
   * Told of a statement that failed in a way that a change of its tables would explain. What was prepared before is not
   * used any more: statements get other texts, since a text that was prepared stays so on its connection, and in poolers.
   */
  failed(sql: string): void;
}

/** Nothing is prepared: for poolers that cannot keep it. */
export const withoutPreparation: Preparation = { textOf: () => undefined, failed: () => {} };

/** `clock` tells milliseconds. */
export const createPreparation = (clock: () => number = Date.now): Preparation => {
  const seen = new LRUCache<string, true>({ max: SEEN });
  const prepared = new Map<string, string>();
  let renewed = clock();
  let pausedUntil = 0;
  let edition = 0;
  return {
    textOf(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      if (!seen.has(sql)) {
        seen.set(sql, true);
        return undefined;
      }
      if (clock() < pausedUntil) return undefined;
      if (prepared.size >= STATEMENTS) {
        if (clock() - renewed < RENEWAL) return undefined;
        prepared.clear();
        renewed = clock();
      }
      seen.delete(sql);
      const text = edition === 0 ? sql : `${sql} /* ${edition} */`;
      prepared.set(sql, text);
      return text;
    },
    failed(sql) {
      // What fails unprepared was not prepared before its tables changed, and is not worth it now.
      seen.delete(sql);
      if (!prepared.has(sql)) return;
      prepared.clear();
      edition += 1;
      pausedUntil = clock() + PAUSE;
    },
  };
};
