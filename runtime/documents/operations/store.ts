/** Executes plans, and reads the result. */
import { mayReadDrafts } from "../../access/drafts.ts";
import type { ValidationError } from "../../base/errors.ts";
import { type Bound, sendAll, type Session, type Transaction } from "../../database/database.ts";
import { planOne, type PlannedRead, type RawQuery, type RowSet } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import { type FieldError, validationError } from "../../schema/validation/check.ts";
import type { Plan } from "../plan/plan.ts";
import { findRepeated, repeatedColumn, RepeatedValue } from "../plan/uniqueness.ts";
import { statementsFor } from "../sql/put.ts";
import type { OperationContext } from "./context.ts";
import { type Changed, guarded } from "./guard.ts";

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
    ...(fields === undefined ? {} : { fields }),
    ...(populate === undefined ? {} : { populate }),
    ...(locale === null ? {} : { locale }),
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
