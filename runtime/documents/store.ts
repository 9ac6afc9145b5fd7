/** Opening a document for a write, and sending what was worked out. */
import type { Session, Transaction } from "../database/database.ts";
import type { PlannedRead, RowSet } from "../query/index.ts";
import type { ContentType } from "../schema/content-type.ts";
import { validationError } from "../schema/validation/check.ts";
import { lockReach, type Reach } from "./reach.ts";
import { type Bound, send, sendAll } from "./sql/statement.ts";
import { type LoadedVersion, loadVersions, readVersion, type Version } from "./sql/version.ts";
import { findRepeated } from "./unique.ts";
import { repeatedValue, type Uniqueness } from "./uniqueness.ts";

/** This instant as `timestamp` columns take it. */
export const now = (): string => new Date().toISOString().slice(0, -1);

/** A document that is locked, with all that the write reaches. */
export interface Opened {
  readonly versions: readonly LoadedVersion[];
  /** Every document whose versions and links may be changed. */
  readonly locked: ReadonlySet<string>;
}

/** Locks a document and what a write of it reaches, and loads its versions; undefined when there is none of that type. */
export const openDocument = async (
  session: Session,
  type: ContentType,
  documentId: string,
  reach: Reach,
): Promise<Opened | undefined> => {
  if (documentId.includes("\0")) return undefined;
  const [locked, rows] = await Promise.all([
    lockReach(session, type, documentId, reach),
    send(session, loadVersions(type, documentId)),
  ]);
  return locked.has(documentId) ? { locked, versions: rows.map((row) => readVersion(type, row)) } : undefined;
};

/** A write that has been worked out and only needs to be sent. */
export interface Plan {
  readonly type: ContentType;
  readonly documentId: string;
  /** The version whose unique values are stored. */
  readonly version: Version;
  readonly uniqueness: Uniqueness;
  readonly statements: readonly Bound[];
}

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
 * Carries out a plan, and reads what it leads to: the end of a transaction. Everything is sent at once, for the
 * statements of one session run in the order in which they are sent; the commit too, unless it depends on an answer.
 */
export const storeAndRead = (session: Transaction, plan: Plan, planned: PlannedRead): Promise<RowSet | null> => {
  const send = async (): Promise<RowSet | null> => {
    const stored = store(session, plan);
    const [, answer] = await Promise.allSettled([stored, planned.read()]);
    await stored;
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  };
  const isLast = planned.isOneStatement && plan.uniqueness.first.length === 0;
  return isLast ? session.last(send) : send();
};
