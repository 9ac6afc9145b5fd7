/** Carries out plans, and reads the result. */
import type { Reader, Row, Session, Transaction } from "../../database/database.ts";
import { type Bound, sendAll } from "../../database/statement.ts";
import type { PlannedRead, RowSet } from "../../query/index.ts";
import { validationError } from "../../schema/validation/check.ts";
import type { Plan } from "../plan/plan.ts";
import { findRepeated } from "../plan/unique-columns.ts";
import { repeatedValue } from "../plan/uniqueness.ts";
import { putShown } from "../sql/put-shown.ts";

/** One statement for the whole plan, which returns the row to show, or its id if nothing or more than it is shown. */
const atOnce = ({ type, statements }: Plan, planned: PlannedRead | undefined): Bound | undefined =>
  putShown(statements, planned?.columns ?? [type.table.id]);

/** Sends the statements, and returns the first row of the last one. */
const send = async (
  session: Reader,
  { type, version, uniqueness }: Plan,
  statements: readonly Bound[],
): Promise<Row | undefined> => {
  try {
    return (await sendAll(session, statements)).at(-1)?.[0];
  } catch (error) {
    throw repeatedValue(error, type, version, uniqueness) ?? error;
  }
};

const store = async (session: Session, plan: Plan, statements: readonly Bound[]): Promise<Row | undefined> => {
  const [repeated, stored] = await Promise.allSettled([
    findRepeated(session, plan.uniqueness.first),
    send(session, plan, statements),
  ]);
  if (repeated.status === "rejected") throw repeated.reason;
  if (stored.status === "rejected") throw stored.reason;
  if (repeated.value.length > 0) throw validationError(repeated.value);
  return stored.value;
};

/**
 * Carries out a plan at the end of its transaction, and reads the result if wanted: from what the statement returns, if
 * one statement can store and return everything. All statements are sent at once, since a session runs them in order;
 * so is the commit, unless it depends on an answer.
 */
export const storeAndRead = (
  session: Transaction,
  plan: Plan,
  planned: PlannedRead | undefined,
): Promise<RowSet | null> => {
  const one = atOnce(plan, planned);
  const run = async (): Promise<RowSet | null> => {
    const stored = store(session, plan, one ? [one] : plan.statements);
    const isShown = one !== undefined && planned?.columns !== undefined;
    const [row, answer] = await Promise.allSettled([stored, isShown || !planned ? null : planned.read()]);
    if (row.status === "rejected") throw row.reason;
    if (answer.status === "rejected") throw answer.reason;
    return isShown && row.value ? planned.show(row.value) : answer.value;
  };
  const isOneStatement = planned === undefined || planned.columns !== undefined;
  return isOneStatement && plan.uniqueness.first.length === 0 ? session.last(run) : run();
};

/**
 * Carries out a plan by a single statement, which also returns what is shown.
 *
 * @param session runs the statement as a transaction of its own
 * @returns undefined, without having done anything, if the plan needs more than that
 */
export const storeAlone = async (
  session: Reader,
  plan: Plan,
  planned: PlannedRead | undefined,
): Promise<{ readonly shown: RowSet | null } | undefined> => {
  const one = atOnce(plan, planned);
  if (!one || plan.uniqueness.first.length > 0 || (planned && !planned.columns)) return undefined;
  const row = await send(session, plan, [one]);
  return { shown: planned && row ? await planned.show(row) : null };
};
