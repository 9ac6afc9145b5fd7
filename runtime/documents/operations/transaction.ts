import { ValidationError } from "../../base/errors.ts";
import type { Database, Transaction } from "../../database/database.ts";
import { canRunAgain, faultOf } from "../../database/fault.ts";
import { runAgain } from "../../database/run-again.ts";
import { RepeatedValue } from "../plan/uniqueness.ts";
import type { OperationServices } from "./context.ts";

/**
 * Foreign key violation: a document or file to which the version refers was deleted by another transaction meanwhile.
 * The body need not name it.
 */
const FOREIGN_KEY = "23503";

/** SQLSTATEs for numbers out of range, texts that are too long, and values too large for an index. */
const TOO_LARGE = new Set(["22003", "22001", "54000"]);

const forClients = async (database: Database, error: unknown): Promise<unknown> => {
  if (error instanceof RepeatedValue) return error.explain(database);
  const code = faultOf(error)?.code;
  if (code === FOREIGN_KEY) return new ValidationError("A related document or file was deleted meanwhile");
  if (code !== undefined && TOO_LARGE.has(code)) return new ValidationError("A value is too large to be stored");
  return error;
};

/**
 * Whether running `work` again may help. In a part of a transaction, this excludes errors for which the whole
 * transaction must be run again.
 */
const passes = (error: unknown, isPart: boolean): boolean =>
  faultOf(error)?.code === FOREIGN_KEY || (!isPart && canRunAgain(error));

/** Runs `work` again after a conflict with another transaction, or if tables have changed. */
export const untilStored = async <Result>(
  { database, unit }: Pick<OperationServices, "database" | "unit">,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await runAgain(work, (error) => passes(error, unit !== undefined));
  } catch (error) {
    throw await forClients(database, error);
  }
};

/** {@link untilStored} in one transaction. */
export const untilDone = <Result>(
  services: Pick<OperationServices, "database" | "unit">,
  work: (session: Transaction) => Promise<Result>,
): Promise<Result> => untilStored(services, () => services.database.transaction(work, { readsFirst: true }));

/**
 * {@link untilDone}, but writers of the same document in this process wait in a queue; see `turns.ts`. Parts of a
 * transaction that has its connection already do not queue: writers before them might be waiting for locks of this
 * transaction.
 */
export const transact = <Result>(
  services: Pick<OperationServices, "database" | "turns" | "unit">,
  documentIds: Iterable<string>,
  work: (session: Transaction) => Promise<Result>,
): Promise<Result> =>
  services.unit ? untilDone(services, work) : services.turns.take(documentIds, () => untilDone(services, work));
