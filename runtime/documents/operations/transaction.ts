/** Runs writes in transactions, retries them after conflicts, and turns database errors into errors for clients. */
import { getTableName } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import { ForbiddenError, ValidationError } from "../../base/errors.ts";
import { identifier } from "../../base/identifier.ts";
import type { DatabaseFault, Transaction } from "../../database/database.ts";
import {
  canRunAgain,
  faultOf,
  isNotAllowed,
  isNotStored,
  isRefused,
  RefusedError,
  runAgain,
} from "../../database/fault.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Registry } from "../../schema/registry.ts";
import { attributesOf } from "../attributes.ts";
import { RepeatedValue } from "../plan/uniqueness.ts";
import { storedColumns } from "../sql/version.ts";
import type { OperationServices } from "./context.ts";

type Declared = Pick<Registry, "contentTypes">;

const typesOf = ({ contentTypes }: Declared): readonly ContentType[] =>
  Object.values(contentTypes).map(({ type }) => type);

/** The attribute stored in a column. */
const attributeIn = (registry: Declared, { table, column }: DatabaseFault): string | undefined => {
  const type = typesOf(registry).find((each) => getTableName(each.table) === table);
  return type && storedColumns(type).find((each) => each.role === "value" && each.column.name === column)?.key;
};

const refusedAt = (path: readonly string[], message: string, constraint: string | undefined, cause: unknown) =>
  new RefusedError(
    message,
    { errors: [{ path, message, name: "ValidationError" }], ...(constraint === undefined ? {} : { constraint }) },
    cause,
  );

/**
 * The error for clients, if a database object of the project (a constraint, trigger or policy) refused a write;
 * undefined for other errors. It names constraints and attributes, but omits the database's text, which may contain
 * values of this row and others. The log has the text.
 */
const refusal = (registry: Declared, error: unknown): RefusedError | undefined => {
  if (error instanceof RefusedError) return error;
  if (isNotStored(error)) {
    return refusedAt([], "A trigger or policy of the database has left this out", undefined, error);
  }
  const fault = faultOf(error);
  if (!fault || !isRefused(error)) return undefined;
  const { constraint, column } = fault;
  if (constraint !== undefined) {
    return refusedAt([], `The constraint ${constraint} of the database does not allow this`, constraint, error);
  }
  if (column !== undefined) {
    const name = attributeIn(registry, fault);
    return refusedAt(name === undefined ? [] : [name], `${name ?? column} cannot be null.`, undefined, error);
  }
  return refusedAt([], "A trigger of the database does not allow this", undefined, error);
};

const linkTables = (type: ContentType): readonly PgTable[] =>
  attributesOf(type).flatMap(([, attribute]) => ("link" in attribute ? [attribute.link] : []));

/** Whether a violated foreign key belongs to a relation or file, so that its target has been deleted meanwhile. */
const isOwnReference = (registry: Declared, { code, table, constraint }: DatabaseFault): boolean =>
  code === "23503" &&
  typesOf(registry)
    .flatMap((type) => [type.table, ...linkTables(type)])
    .some(
      (each) =>
        getTableName(each) === table &&
        getTableConfig(each).foreignKeys.some((key) => identifier(key.getName()) === constraint),
    );

/** SQLSTATEs for numbers out of range, texts that are too long, and values too large for an index. */
const TOO_LARGE = new Set(["22003", "22001", "54000"]);

type Services = Pick<OperationServices, "config" | "database" | "registry" | "unit">;

/** Another transaction has deleted a document or file to which the version refers. The body need not name it. */
const isGone = ({ registry }: Services, error: unknown): boolean => {
  const fault = faultOf(error);
  return fault !== undefined && isOwnReference(registry, fault);
};

/** The error with as many faults as a response lists (`limits.bodyErrors`); its message gives the total. */
const shortened = (error: Error, most: number): Error => {
  const faults = error instanceof ValidationError ? error.details?.["errors"] : undefined;
  if (!Array.isArray(faults) || faults.length <= most) return error;
  return new ValidationError(error.message, { errors: faults.slice(0, most) });
};

const forClients = async (services: Services, thrown: unknown): Promise<unknown> => {
  const error = thrown instanceof RepeatedValue ? await thrown.explain(services.database) : thrown;
  if (error instanceof ValidationError) return shortened(error, services.config.limits.bodyErrors);
  if (isGone(services, error)) return new ValidationError("A related document or file was deleted meanwhile");
  if (TOO_LARGE.has(faultOf(error)?.code ?? "")) return new ValidationError("A value is too large to be stored");
  return error;
};

/**
 * Whether a retry of `work` may help. In a part of a transaction, this excludes errors for which the whole transaction
 * has to be retried.
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
 * Runs `work`, which stores or deletes documents, and retries it after a conflict with another transaction, or if
 * tables have changed.
 *
 * @throws RefusedError when the database does not allow it
 */
const untilStored = async <Result>(services: Services, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await untilPassed(services, work);
  } catch (error) {
    throw isNotAllowed(error) ? new ForbiddenError() : (refusal(services.registry, error) ?? error);
  }
};

/**
 * The same for application code in one transaction. Errors of its own statements stay unchanged; errors of the commit
 * are attributed to its writes. The code may call functions that write, so nothing may be sent before the transaction
 * has begun.
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
    return await untilPassed(services, () => services.database.transaction(once));
  } catch (error) {
    throw (isDone ? refusal(services.registry, error) : undefined) ?? error;
  }
};

/**
 * {@link untilStored} in one transaction, with writers of the same document in this process queued; see
 * `write-queue.ts`. Parts of a transaction that already has its connection do not queue: writers ahead of them might be
 * waiting for locks of this transaction.
 */
export const transact = <Result>(
  services: Services & Pick<OperationServices, "writeQueue">,
  documentIds: Iterable<string>,
  work: (session: Transaction) => Promise<Result>,
): Promise<Result> => {
  const run = () => untilStored(services, () => services.database.transaction(work, { readsFirst: true }));
  return services.unit ? run() : services.writeQueue.run(documentIds, run);
};
