import { ValidationError } from "../../base/errors.ts";
import type { Database, Transaction } from "../../database/database.ts";
import { canRunAgain, faultOf } from "../../database/fault.ts";
import type { WriteServices } from "../context.ts";
import { RepeatedValue } from "../plan/uniqueness.ts";

/** A reference to a document or file that somebody deleted while it was being written, which the body need not name. */
const FOREIGN_KEY = "23503";
const ATTEMPTS = 5;

/** Numeric value out of range, text too long, value too large for an index. */
const TOO_LARGE = new Set(["22003", "22001", "54000"]);

const forClients = async (database: Database, error: unknown): Promise<unknown> => {
  if (error instanceof RepeatedValue) return error.explain(database);
  const code = faultOf(error)?.code;
  if (code === FOREIGN_KEY) return new ValidationError("A related document or file was deleted meanwhile");
  if (code !== undefined && TOO_LARGE.has(code)) return new ValidationError("A value is too large to be stored");
  return error;
};

const untilDone = async <Result>(
  database: Database,
  work: (session: Transaction) => Promise<Result>,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction(work);
    } catch (error) {
      const isPassing = canRunAgain(error) || faultOf(error)?.code === FOREIGN_KEY;
      if (attempt === ATTEMPTS || !isPassing) throw await forClients(database, error);
    }
  }
};

/**
 * Runs `work` in one transaction, again when others made it fail who are done by now, or tables changed meanwhile.
 * Of those that this process has for one of `documentIds`, one runs at a time.
 */
export const transact = <Result>(
  { database, turns }: Pick<WriteServices, "database" | "turns">,
  documentIds: Iterable<string>,
  work: (session: Transaction) => Promise<Result>,
): Promise<Result> => turns.take(documentIds, () => untilDone(database, work));
