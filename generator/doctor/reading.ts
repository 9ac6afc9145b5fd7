/** Reads what the role may read, and records what it may not. */
import { messageOf } from "../../runtime/base/thrown.ts";
import type { Reader, Row } from "../../runtime/database/database.ts";
import type { Problem } from "./finding.ts";

export interface Reading {
  readonly rows: Reader["rows"];
  /** The result of `work`; undefined if the database refuses it, which is recorded as `what`. */
  attempt<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined>;
  /** Records that something could not be read. */
  miss(line: string): void;
  readonly unread: readonly string[];
}

export const createReading = (database: Reader): Reading => {
  const unread: string[] = [];
  return {
    rows: (sql, parameters) => database.rows(sql, parameters),
    async attempt(what, work) {
      try {
        return await work();
      } catch (error) {
        unread.push(`${what}: ${messageOf(error)}`);
        return undefined;
      }
    },
    miss: (line) => void unread.push(line),
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
