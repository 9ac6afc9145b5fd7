/** When a migration that content has stopped is tried again. */
import type { Database } from "../../../runtime/database/database.ts";
import { MigrationError } from "../../../runtime/database/migrations/error.ts";

/** What comes behind the error of such a migration. */
export const RETRIED = "\ncms dev tries again when the content is mended, or the schema file is changed.";

/** The times between two tries where nothing is known to be written, in milliseconds. */
const SHORTEST = 1000;
const LONGEST = 60_000;

export interface Retry {
  /** Takes note of how a round ended. Answers whether it may end otherwise without a change of any file. */
  note(error: unknown): Promise<boolean>;
  /** Whether to try again: something was written since, whoever wrote it, or it was not tried for long. */
  isDue(): Promise<boolean>;
}

/** The statements of a migration have failed, and not its files. */
const isStopped = (error: unknown): boolean => error instanceof MigrationError && error.cause !== undefined;

/** Another value whenever a transaction has written; undefined while the database is away. */
const writesOf = async (database: Database): Promise<string | undefined> => {
  try {
    return String((await database.rows("select pg_snapshot_xmax(pg_current_snapshot())::text"))[0]?.[0]);
  } catch {
    return undefined;
  }
};

export const createRetry = (database: Database): Retry => {
  let writes: string | undefined;
  /** Undefined where nothing is to be tried again. */
  let pause: number | undefined;
  let next = 0;
  return {
    async note(error) {
      if (!isStopped(error)) {
        pause = undefined;
        return false;
      }
      // What is written while a try fails shows in the next one, which therefore comes soon, and then less and less often.
      pause = pause === undefined ? SHORTEST : Math.min(pause * 2, LONGEST);
      next = Date.now() + pause;
      writes = await writesOf(database);
      return true;
    },
    async isDue() {
      if (pause === undefined) return false;
      const now = await writesOf(database);
      if (now === undefined || now === writes) return now !== undefined && Date.now() >= next;
      pause = undefined;
      return true;
    },
  };
};
