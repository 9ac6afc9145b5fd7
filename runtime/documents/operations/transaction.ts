/** Transactions: executes plans in them, and reads the result. */
import { getTableName } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import { mayReadDrafts } from "../../access/drafts.ts";
import { ForbiddenError, ValidationError } from "../../base/errors.ts";
import { identifier } from "../../base/identifier.ts";
import { type Bound, type DatabaseFault, sendAll, type Session, type Transaction } from "../../database/database.ts";
import { canRunAgain, faultOf, isNotAllowed, isNotStored, isRefused, RefusedError } from "../../database/fault.ts";
import { runAgain } from "../../database/transaction.ts";
import { type PlannedRead, planOne, type RawQuery, type RowSet } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import type { Registry } from "../../schema/registry.ts";
import { type FieldError, validationError } from "../../schema/validation/check.ts";
import { attributesOf } from "../attributes.ts";
import type { Plan } from "../plan/plan.ts";
import { findRepeated, repeatedColumn, RepeatedValue } from "../plan/uniqueness.ts";
import { statementsFor } from "../sql/put.ts";
import { storedColumns } from "../sql/version.ts";
import type { OperationContext, OperationServices } from "./context.ts";
import { type Changed, guarded } from "./guard.ts";

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

/** How to assign faults to documents. */
export interface Attribution {
  attribute(index: number, fault: FieldError): FieldError;
  errorOf(faults: readonly FieldError[]): ValidationError;
}

/** For faults of a single document. */
const UNLABELLED: Attribution = { attribute: (_index, fault) => fault, errorOf: validationError };

/** Interprets the failure of a statement: finds the documents whose unique value was refused. */
const repeatedIn = (error: unknown, plans: readonly Plan[], attribution: Attribution): RepeatedValue | undefined => {
  const [first, ...others] = plans;
  const fault = first && repeatedColumn(error, first.type, first.version);
  if (!fault) return undefined;
  const lookups = plans.flatMap(({ uniqueness }, index) =>
    uniqueness.afterwards.map((lookup) => ({
      bound: lookup.bound,
      faults: (rows: Parameters<typeof lookup.faults>[0]) =>
        lookup.faults(rows).map((each) => attribution.attribute(index, each)),
    })),
  );
  // With several documents, nothing tells whose value was refused.
  const { value: _value, ...unknown } = fault;
  return new RepeatedValue(others.length > 0 ? unknown : fault, lookups, (faults) => attribution.errorOf(faults));
};

/** The statements together with those that record their changes, and those that apply the caller's rules to them. */
export const completed = (
  context: OperationContext,
  changed: readonly Changed[],
  statements: readonly Bound[],
): readonly Bound[] => {
  const { services, caller, by = caller } = context;
  const changes = changed.flatMap((each) => each.changes);
  const recordings = services.recorders.map((recorder) => recorder.record(changes, by));
  const before = recordings.flatMap((recording) => recording.before ?? []);
  const all = [...before, ...statements, ...recordings.flatMap(({ after = [] }) => after)];
  return caller.rows ? guarded(context, changed, all) : all;
};

const sendSteps = async (
  context: OperationContext,
  session: Session,
  plans: readonly Plan[],
  attribution: Attribution,
): Promise<void> => {
  const statements = statementsFor(plans.map(({ steps }) => steps));
  try {
    await sendAll(session, completed(context, plans, statements));
  } catch (error) {
    throw repeatedIn(error, plans, attribution) ?? error;
  }
};

/**
 * Executes plans of one type that do not depend on each other.
 *
 * @throws ValidationError made by `attribution`, for unique values in components of other documents
 * @throws RepeatedValue when other documents have some of the values already
 */
export const store = async (
  context: OperationContext,
  session: Session,
  plans: readonly Plan[],
  attribution = UNLABELLED,
): Promise<void> => {
  const lookups = plans.flatMap(({ uniqueness }) => uniqueness.first);
  const [repeated, sent] = await Promise.allSettled([
    findRepeated(session, lookups),
    sendSteps(context, session, plans, attribution),
  ]);
  if (repeated.status === "rejected") throw repeated.reason;
  if (sent.status === "rejected") throw sent.reason;
  if (repeated.value.length > 0) throw attribution.errorOf(repeated.value);
};

/** Whether the caller may see a version in this status. */
export const mayShow = ({ services, caller }: OperationContext, type: ContentType, status: Status): boolean =>
  status === "published" || !type.draftAndPublish || mayReadDrafts(services.config, caller, type.uid);

/** The read of the written version, without the query's filters; undefined if the caller may not read it. */
export const planReadBack = (
  context: OperationContext,
  session: Session,
  type: ContentType,
  documentId: string,
  { status, locale, query }: { status: Status; locale: string | null; query: RawQuery },
): PlannedRead | undefined => {
  if (!mayShow(context, type, status)) return undefined;
  const { fields, populate } = query;
  return planOne({ ...context, session }, type, documentId, {
    fields,
    populate,
    locale: locale ?? undefined,
    status: type.draftAndPublish ? status : (query["status"] ?? status),
  });
};

/**
 * Executes a plan at the end of its transaction, and reads the result if wanted. Sends all statements at once, since a
 * session runs them in order; also the commit, unless it depends on a result.
 */
export const storeAndRead = (
  context: OperationContext,
  session: Transaction,
  plan: Plan,
  read: PlannedRead | undefined,
): Promise<RowSet | null> => {
  const run = async (): Promise<RowSet | null> => {
    const [stored, shown] = await Promise.allSettled([store(context, session, [plan]), read?.run() ?? null]);
    if (stored.status === "rejected") throw stored.reason;
    if (shown.status === "rejected") throw shown.reason;
    return shown.value;
  };
  return (read?.isOneStatement ?? true) && plan.uniqueness.first.length === 0 ? session.last(run) : run();
};
