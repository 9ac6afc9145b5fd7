/** Opening a document for a write. */
import type { Session } from "../../database/database.ts";
import { send } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { WriteServices } from "../context.ts";
import { lockDeletion } from "../links/deletion.ts";
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

const open = async (
  session: Session,
  type: ContentType,
  documentId: string,
  lock: () => Promise<ReadonlySet<string>>,
): Promise<Opened | undefined> => {
  if (documentId.includes("\0")) return undefined;
  const [locked, rows] = await Promise.all([lock(), send(session, loadVersions(type, documentId))]);
  return locked.has(documentId) ? { locked, versions: rows.map((row) => readVersion(type, row)) } : undefined;
};

/** Locks a document and what a write of it reaches, and loads its versions; undefined when there is none of that type. */
export const openDocument = (
  session: Session,
  type: ContentType,
  documentId: string,
  reach: Reach,
): Promise<Opened | undefined> => open(session, type, documentId, () => lockReach(session, type, documentId, reach));

/** The same for a document that is going to be deleted, which takes the links to it along. */
export const openForDeletion = (
  session: Session,
  services: Pick<WriteServices, "registry">,
  type: ContentType,
  documentId: string,
): Promise<Opened | undefined> =>
  open(session, type, documentId, () => lockDeletion(session, services, type, documentId));
