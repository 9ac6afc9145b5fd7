import { ValidationError } from "../../base/errors.ts";
import type { Transaction } from "../../database/database.ts";
import { canRunAgain, faultOf } from "../../database/fault.ts";
import { runAgain } from "../../database/run-again.ts";
import { RepeatedValue } from "../plan/uniqueness.ts";
import type { OperationServices } from "./context.ts";
import { isOwnReference, refusal } from "./refusal.ts";

/** SQLSTATEs for numbers out of range, texts that are too long, and values too large for an index. */
const TOO_LARGE = new Set(["22003", "22001", "54000"]);

type Services = Pick<OperationServices, "database" | "registry" | "unit">;

/**
 * A document or file to which the version refers was deleted by another transaction meanwhile. The body need not name
 * it.
 */
const isGone = ({ registry }: Services, error: unknown): boolean => {
  const fault = faultOf(error);
  return fault !== undefined && isOwnReference(registry, fault);
};

const forClients = async (services: Services, error: unknown): Promise<unknown> => {
  if (error instanceof RepeatedValue) return error.explain(services.database);
  if (isGone(services, error)) return new ValidationError("A related document or file was deleted meanwhile");
  if (TOO_LARGE.has(faultOf(error)?.code ?? "")) return new ValidationError("A value is too large to be stored");
  return error;
};

/**
 * Whether running `work` again may help. In a part of a transaction, this excludes errors for which the whole
 * transaction must be run again.
 */
const passes = (services: Services, error: unknown): boolean =>
  isGone(services, error) || (!services.unit && canRunAgain(error));

const untilPassed = async <Result>(services: Services, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await runAgain(work, (error) => passes(services, error));
  } catch (error) {
    throw await forClients(services, error);
  }
};

/**
 * Runs `work`, which stores or deletes documents, and runs it again after a conflict with another transaction, or if
 * tables have changed.
 *
 * @throws RefusedError when the database does not allow it
 */
export const untilStored = async <Result>(services: Services, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await untilPassed(services, work);
  } catch (error) {
    throw refusal(services.registry, error) ?? error;
  }
};

/**
 * The same for application code in one transaction. Errors of its own statements stay as they are; those of the commit
 * are of its writes.
 */
export const untilDone = async <Result>(
  services: Services,
  work: (session: Transaction) => Promise<Result>,
): Promise<Result> => {
  let isDone = false;
  const once = async (session: Transaction): Promise<Result> => {
    isDone = false;
    const result = await work(session);
    isDone = true;
    return result;
  };
  try {
    return await untilPassed(services, () => services.database.transaction(once, { readsFirst: true }));
  } catch (error) {
    throw (isDone ? refusal(services.registry, error) : undefined) ?? error;
  }
};

/**
 * {@link untilStored} in one transaction, but writers of the same document in this process wait in a queue; see
 * `turns.ts`. Parts of a transaction that has its connection already do not queue: writers before them might be waiting
 * for locks of this transaction.
 */
export const transact = <Result>(
  services: Services & Pick<OperationServices, "turns">,
  documentIds: Iterable<string>,
  work: (session: Transaction) => Promise<Result>,
): Promise<Result> => {
  const run = () => untilStored(services, () => services.database.transaction(work, { readsFirst: true }));
  return services.unit ? run() : services.turns.take(documentIds, run);
};
