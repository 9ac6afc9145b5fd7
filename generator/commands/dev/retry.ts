/** Decides when to retry what the database is the reason of, such as a migration that content blocks. */
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { faultOf } from "../../../runtime/database/fault.ts";
import { MigrationError } from "../../../runtime/database/migrations/record.ts";

/** The text appended to such an error. */
export const RETRIED = "\ncms dev tries again when the content is mended, the database is back, or a file is saved.";

/** The delays between retries while no write is observed, in milliseconds. */
const SHORTEST = 1000;
const LONGEST = 60_000;

export type Retry = ReturnType<typeof createRetry>;

/** Its content, what is applied to it, or that it cannot be reached. */
const isRetried = (error: unknown): boolean =>
  error instanceof MigrationError || error instanceof ServiceUnavailableError || faultOf(error) !== undefined;

/** Changes whenever a transaction has written; undefined while the database is unreachable. */
const writesOf = async (database: Database): Promise<string | undefined> => {
  try {
    return String((await database.rows("select pg_snapshot_xmax(pg_current_snapshot())::text"))[0]?.[0]);
  } catch {
    return undefined;
  }
};

export const createRetry = (database: Database) => {
  let writes: string | undefined;
  /** Undefined if there is nothing to retry. */
  let pause: number | undefined;
  let next = 0;
  return {
    /** Records how a round ended. Returns whether it could end differently without a file changing. */
    async note(error: unknown): Promise<boolean> {
      if (!isRetried(error)) {
        pause = undefined;
        return false;
      }
      // A write during a failing try shows only in the next one, so that one comes soon, and later ones less and less
      // often.
      pause = pause === undefined ? SHORTEST : Math.min(pause * 2, LONGEST);
      next = Date.now() + pause;
      writes = await writesOf(database);
      return true;
    },
    /** Whether to retry: something was written since, by anyone, or the last try is long ago. */
    async isDue(): Promise<boolean> {
      if (pause === undefined) return false;
      const now = await writesOf(database);
      if (now === undefined || now === writes) return now !== undefined && Date.now() >= next;
      pause = undefined;
      return true;
    },
  };
};
