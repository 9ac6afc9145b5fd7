/** Reads what the role may read, and records what it may not. */
import { messageOf } from "../../runtime/base/thrown.ts";
import type { Reader, Row } from "../../runtime/database/database.ts";
import type { Problem } from "./finding.ts";

export type Reading = ReturnType<typeof createReading>;

export const createReading = (database: Reader) => {
  const unread: string[] = [];
  return {
    rows: (...query: Parameters<Reader["rows"]>) => database.rows(...query),
    /** The result of `work`; undefined if the database refuses it, which is recorded as `what`. */
    async attempt<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
      try {
        return await work();
      } catch (error) {
        unread.push(`${what}: ${messageOf(error)}`);
        return undefined;
      }
    },
    /** Records that something could not be read. */
    miss: (line: string) => void unread.push(line),
    unread,
  };
};

/** Runs checks in order: each has a name for the report if it fails, and its work. */
export const problemsOf = async (
  { attempt }: Pick<Reading, "attempt">,
  checks: readonly (readonly [what: string, look: () => Promise<readonly Problem[]>])[],
): Promise<readonly Problem[]> => {
  const found: Problem[] = [];
  for (const [what, look] of checks) found.push(...((await attempt(what, look)) ?? []));
  return found;
};

/** The row of a query that returns exactly one. */
export const onlyRow = ([row]: readonly Row[]): Row => row ?? [];
