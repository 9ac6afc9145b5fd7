import { ValidationError } from "../../base/errors.ts";
import type { Database, Transaction } from "../../database/database.ts";
import { canRunAgain, faultOf } from "../../database/fault.ts";
import { runAgain } from "../../database/run-again.ts";
import { RepeatedValue } from "../plan/uniqueness.ts";
import type { OperationServices } from "./context.ts";

/** A reference to a document or file that somebody deleted while it was being written, which the body need not name. */
const FOREIGN_KEY = "23503";

/** Numeric value out of range, text too long, value too large for an index. */
const TOO_LARGE = new Set(["22003", "22001", "54000"]);

const forClients = async (database: Database, error: unknown): Promise<unknown> => {
  if (error instanceof RepeatedValue) return error.explain(database);
  const code = faultOf(error)?.code;
  if (code === FOREIGN_KEY) return new ValidationError("A related document or file was deleted meanwhile");
  if (code !== undefined && TOO_LARGE.has(code)) return new ValidationError("A value is too large to be stored");
  return error;
};

/** Errors that pass when the work runs again: of a part, not those for which all of its transaction has to. */
const passes = (error: unknown, isPart: boolean): boolean =>
  faultOf(error)?.code === FOREIGN_KEY || (!isPart && canRunAgain(error));

/** Runs `work` in one transaction, again when others made it fail who are done by now, or tables changed meanwhile. */
export const untilDone = async <Result>(
  { database, unit }: Pick<OperationServices, "database" | "unit">,
  work: (session: Transaction) => Promise<Result>,
): Promise<Result> => {
  try {
    return await runAgain(
      () => database.transaction(work),
      (error) => passes(error, unit !== undefined),
    );
  } catch (error) {
    throw await forClients(database, error);
  }
};

/**
 * {@link untilDone}; those that this process has for one of `documentIds` stand in line, as `turns.ts` says. Parts of a
 * transaction that has a connection already do not: those before them might wait for what it has locked.
 */
export const transact = <Result>(
  services: Pick<OperationServices, "database" | "turns" | "unit">,
  documentIds: Iterable<string>,
  work: (session: Transaction) => Promise<Result>,
): Promise<Result> =>
  services.unit ? untilDone(services, work) : services.turns.take(documentIds, () => untilDone(services, work));
