/** Opening a document for a write, and sending what was worked out. */
import type { ContentType } from "../content-type.ts";
import type { Session } from "../database/database.ts";
import { validationError } from "../validation/check.ts";
import { lockDocument } from "./sql/document.ts";
import { type Bound, sendAll } from "./sql/statement.ts";
import { type LoadedVersion, loadVersions, readVersion, type Version } from "./sql/version.ts";
import { findRepeated, type Lookup, uniqueViolation } from "./unique.ts";

/** This instant as `timestamp` columns take it. */
export const now = (): string => new Date().toISOString().slice(0, -1);

/** Locks a document and loads its versions; undefined when there is none of that type. */
export const openDocument = async (
  session: Session,
  type: ContentType,
  documentId: string,
): Promise<readonly LoadedVersion[] | undefined> => {
  const key = documentId.replaceAll("\0", "");
  const [locked, rows] = await sendAll(session, [lockDocument(key, type.uid), loadVersions(type, key)]);
  return locked?.length === 0 ? undefined : rows?.map((row) => readVersion(type, row));
};

/** A write that has been worked out and only needs to be sent. */
export interface Plan {
  readonly type: ContentType;
  readonly documentId: string;
  /** The version whose unique values are stored. */
  readonly version: Version;
  /** Have to find nothing. */
  readonly lookups: readonly Lookup[];
  readonly statements: readonly Bound[];
}

const store = async (session: Session, { type, version, lookups, statements }: Plan): Promise<void> => {
  const [repeated, stored] = await Promise.allSettled([findRepeated(session, lookups), sendAll(session, statements)]);
  if (repeated.status === "rejected") throw repeated.reason;
  if (repeated.value.length > 0) throw validationError(repeated.value);
  // A unique value that another writer took since the lookup is the contract's error too.
  if (stored.status === "rejected") throw uniqueViolation(stored.reason, type, version) ?? stored.reason;
};

/**
 * Carries out a plan, and reads what it leads to. Everything is sent at once: the statements of one session run in the
 * order in which they are sent.
 */
export const storeAndRead = async <Result>(
  session: Session,
  plan: Plan,
  read: () => Promise<Result>,
): Promise<Result> => {
  const stored = store(session, plan);
  const [, answer] = await Promise.allSettled([stored, read()]);
  await stored;
  if (answer.status === "rejected") throw answer.reason;
  return answer.value;
};
