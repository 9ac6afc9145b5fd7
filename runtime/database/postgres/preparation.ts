/**
 * Decides which statements to keep prepared. A prepared statement takes memory on both sides for as long as its
 * connection lives, and clients can send queries of any shape. So a statement is prepared only when it is repeated, and
 * only a limited number of statements are.
 */
import { LRUCache } from "lru-cache";
import type { Parameter, Row } from "../database.ts";
import { mayBeOutdated, TablesChangedError } from "../fault.ts";
import type { Connection } from "./connection.ts";

/** Most prepared statements, and most characters of them together: each connection keeps them all. */
const PREPARED = { statements: 500, characters: 2_000_000 };
/** Longer statements are never prepared: a few would displace all others. */
const LONGEST = 30_000;
/** Most statements that are remembered after they were seen once, and most characters of them. */
const SEEN = { max: 2000, maxSize: 2_000_000 };

/**
 * If all places are taken, they are freed after this time (milliseconds) for new statements. Connections live no longer
 * than this, so that none holds the statements of more than two such periods.
 */
export const RENEWAL = 600_000;

/** Milliseconds for which nothing is prepared after tables have changed, since changes often come in series. */
export const PAUSE = 5000;

/** Prepares nothing: for poolers that do not support prepared statements. */
export const withoutPreparation: ReturnType<typeof createPreparation> = { textOf: () => undefined, failed: () => {} };

/** @param clock the current time in milliseconds */
export const createPreparation = (clock: () => number = Date.now) => {
  const seen = new LRUCache<string, true>({ ...SEEN, sizeCalculation: (_seen, sql) => sql.length });
  const prepared = new Map<string, string>();
  let characters = 0;
  let renewed = clock();
  let pausedUntil = 0;
  let edition = 0;
  const clear = (): void => {
    prepared.clear();
    characters = 0;
  };
  return {
    /**
     * The text to send a statement prepared with; undefined to send it unprepared. Call it each time that a statement
     * runs.
     */
    textOf(sql: string): string | undefined {
      const known = prepared.get(sql);
      if (known !== undefined || sql.length > LONGEST) return known;
      if (!seen.has(sql)) {
        seen.set(sql, true);
        return undefined;
      }
      if (clock() < pausedUntil) return undefined;
      if (prepared.size >= PREPARED.statements || characters + sql.length > PREPARED.characters) {
        if (clock() - renewed < RENEWAL) return undefined;
        clear();
        renewed = clock();
      }
      seen.delete(sql);
      const text = edition === 0 ? sql : `${sql} /* ${edition} */`;
      prepared.set(sql, text);
      characters += sql.length;
      return text;
    },
    /**
     * Call it when a statement failed in a way that changed tables would explain. Statements prepared before are then
     * not used any more. They are prepared again under slightly different texts, since connections and poolers keep a
     * text prepared.
     */
    failed(sql: string): void {
      // A failing statement is not worth preparing: it counts as not seen yet.
      seen.delete(sql);
      if (!prepared.has(sql)) return;
      clear();
      edition += 1;
      pausedUntil = clock() + PAUSE;
    },
  };
};

/** Runs one statement, prepared if that is worth it. It is sent before this returns. */
export type Rows = (connection: Connection, sql: string, parameters?: readonly Parameter[]) => Promise<readonly Row[]>;

export const createRows =
  (preparation: ReturnType<typeof createPreparation>): Rows =>
  (connection, sql, parameters = []) => {
    const prepared = preparation.textOf(sql);
    return connection.rows(prepared ?? sql, parameters, prepared !== undefined).catch((error: unknown) => {
      if (!mayBeOutdated(error)) throw error;
      preparation.failed(sql);
      if (prepared === undefined) throw error;
      throw Object.assign(new TablesChangedError("The tables of the database have changed; try again"), {
        cause: error,
      });
    });
  };
