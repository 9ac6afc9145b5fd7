/** Opening a document for a write. */
import type { Session } from "../../database/database.ts";
import { send } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { lockReach, type Reach } from "../links/reach.ts";
import { type LoadedVersion, loadVersions, readVersion } from "../sql/version.ts";

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
