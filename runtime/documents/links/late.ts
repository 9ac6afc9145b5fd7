/**
 * Locks documents that turn out to be needed while others are locked already. Waiting for them could cause a deadlock.
 * So they are locked only if they are free; otherwise the transaction releases everything and starts again.
 */
import { requiredText } from "../../database/column-values.ts";
import type { Row, Session } from "../../database/database.ts";
import { RunAgainError } from "../../database/fault.ts";
import { send, sendAll } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { findDocuments, lockFree } from "../sql/lock.ts";
import type { Documents } from "../sql/reach.ts";

const HELD = "Others hold what this needs; try again";

const lateOf = (found: readonly Row[], locked: ReadonlySet<string>): readonly string[] =>
  found.map(([each]) => requiredText(each)).filter((each) => !locked.has(each));

/**
 * Locks those of the documents that are not locked yet. Returns all locked documents.
 *
 * @throws RunAgainError when another transaction holds one of them
 */
export const lockLate = async (
  session: Session,
  found: readonly Row[],
  locked: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const late = lateOf(found, locked);
  if (late.length === 0) return locked;
  const free = await send(session, lockFree(late));
  if (free.length < late.length) throw new RunAgainError(HELD);
  return new Set([...locked, ...late]);
};

/**
 * Like {@link lockLate}, but repeats the query `moving` until it finds no further documents once all locks are held. A
 * writer that could change its result needs one of these locks: it has either finished before the last query, or waits
 * for us, or concerns other documents.
 *
 * @throws RunAgainError when another transaction holds one of them
 */
export const lockMoving = async (
  session: Session,
  type: ContentType,
  moving: readonly Documents[],
  { found, locked }: { readonly found: readonly Row[]; readonly locked: ReadonlySet<string> },
): Promise<ReadonlySet<string>> => {
  const late = lateOf(found, locked);
  if (late.length === 0) return locked;
  const [free = [], again = []] = await sendAll(session, [lockFree(late), findDocuments(type, moving)]);
  if (free.length < late.length) throw new RunAgainError(HELD);
  return lockMoving(session, type, moving, { found: again, locked: new Set([...locked, ...late]) });
};
