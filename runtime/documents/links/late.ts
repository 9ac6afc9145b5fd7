/**
 * Documents that turn out to be needed when others are locked already. Waiting for them could end in a circle: so they
 * are locked if nobody holds them, and otherwise everything is let go and starts again.
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
 * Locks those of the documents that are not locked yet, and answers all that are.
 *
 * @throws RunAgainError when others hold one of them
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
 * The same, until a look at `moving` that began with all locks taken finds no other document. Whoever changes which ones
 * are found holds all that it changes: it has ended before that look, or waits, or is about others.
 *
 * @throws RunAgainError when others hold one of them
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
