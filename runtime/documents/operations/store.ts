/** Carries out plans, and reads the result. */
import type { Session, Transaction } from "../../database/database.ts";
import { sendAll } from "../../database/statement.ts";
import type { PlannedRead, RowSet } from "../../query/index.ts";
import { validationError } from "../../schema/validation/check.ts";
import type { Plan } from "../plan/plan.ts";
import { findRepeated } from "../plan/unique-columns.ts";
import { repeatedValue } from "../plan/uniqueness.ts";

const store = async (session: Session, { type, version, uniqueness, statements }: Plan): Promise<void> => {
  const [repeated, stored] = await Promise.allSettled([
    findRepeated(session, uniqueness.first),
    sendAll(session, statements),
  ]);
  if (repeated.status === "rejected") throw repeated.reason;
  if (stored.status === "rejected") throw repeatedValue(stored.reason, type, version, uniqueness) ?? stored.reason;
  if (repeated.value.length > 0) throw validationError(repeated.value);
};

/**
 * Carries out a plan at the end of its transaction, and reads the result if wanted. All statements are sent at once,
 * since a session runs them in order; so is the commit, unless it depends on an answer.
 */
export const storeAndRead = (
  session: Transaction,
  plan: Plan,
  planned: PlannedRead | undefined,
): Promise<RowSet | null> => {
  const send = async (): Promise<RowSet | null> => {
    const stored = store(session, plan);
    const [, answer] = await Promise.allSettled([stored, planned?.read() ?? null]);
    await stored;
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  };
  const isLast = planned?.isOneStatement !== false && plan.uniqueness.first.length === 0;
  return isLast ? session.last(send) : send();
};
