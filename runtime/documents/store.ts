/** Opening a document for a write, and sending what was planned. */
import type { ContentType } from "../content-type.ts";
import type { Session } from "../database/database.ts";
import { lockDocument } from "./sql/document.ts";
import { type Bound, sendAll } from "./sql/statement.ts";
import { type LoadedVersion, loadVersions, readVersion, type Version } from "./sql/version.ts";
import { uniqueViolation } from "./unique.ts";

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

/** Sends what was planned; a unique value that another writer took first is the contract's error. */
export const store = async (
  session: Session,
  type: ContentType,
  version: Version,
  batch: readonly Bound[],
): Promise<void> => {
  try {
    await sendAll(session, batch);
  } catch (error) {
    throw uniqueViolation(error, type, version) ?? error;
  }
};
