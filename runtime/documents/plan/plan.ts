/** Prepares documents for a write by locking and loading them, and defines the plan of a write. */
import { send, type Session } from "../../database/database.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { WriteServices } from "../context.ts";
import { lockDeletion, lockReach } from "../links/locks.ts";
import { OWN, type Reach } from "../links/reach.ts";
import type { VersionChange } from "../recorders.ts";
import { documentsOf } from "../sql/lock.ts";
import type { Step } from "../sql/put.ts";
import { type LoadedVersion, type Version, loadVersions, readVersion } from "../sql/version.ts";
import type { Uniqueness } from "./uniqueness.ts";

/** A planned write, whose steps only need to be sent. */
export interface Plan {
  readonly type: ContentType;
  /** The version whose unique values are stored. */
  readonly version: Version;
  /** The versions in its locale before the write. */
  readonly before: readonly LoadedVersion[];
  readonly uniqueness: Uniqueness;
  readonly steps: readonly Step[];
  /** The changes that the steps make to versions of the document itself, in all locales. */
  readonly changes: readonly VersionChange[];
}

let printed = { at: Number.NaN, text: "" };

/**
 * The current instant, in the format of `timestamp` columns. Formatted at most once per millisecond, since a write asks
 * often.
 */
export const now = (): string => {
  const at = Date.now();
  if (printed.at !== at) printed = { at, text: new Date(at).toISOString().slice(0, -1) };
  return printed.text;
};

/** A locked document, together with everything that the write reaches. */
export interface Opened {
  readonly versions: readonly LoadedVersion[];
  /** All documents whose versions and links may be changed. */
  readonly locked: ReadonlySet<string>;
}

/** Locks and loads documents of a type; returns those that exist, by id. */
const openAll = async (
  session: Session,
  type: ContentType,
  documentIds: readonly string[],
  lock: () => Promise<ReadonlySet<string>>,
): Promise<ReadonlyMap<string, Opened>> => {
  const [locked, rows] = await Promise.all([lock(), send(session, loadVersions(type, documentIds))]);
  const opened = new Map(
    documentIds
      .filter((documentId) => locked.has(documentId))
      .map((documentId) => [documentId, { locked, versions: new Array<LoadedVersion>() }]),
  );
  for (const row of rows) {
    const version = readVersion(type, row);
    opened.get(version.documentId)?.versions.push(version);
  }
  return opened;
};

/**
 * Locks a document and everything that a write of it reaches, and loads its versions; undefined if the type has no such
 * document.
 */
export const openDocument = async (
  session: Session,
  type: ContentType,
  documentId: string,
  reach: Reach,
): Promise<Opened | undefined> => {
  if (documentId.includes("\0")) return undefined;
  const opened = await openAll(session, type, [documentId], () => lockReach(session, type, documentId, reach));
  return opened.get(documentId);
};

/** Locks and loads documents whose writes change no other documents. */
export const openDocuments = (
  session: Session,
  type: ContentType,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, Opened>> =>
  openAll(session, type, documentIds, () =>
    lockReach(session, type, undefined, { ...OWN, documents: [documentsOf(type, documentIds)] }),
  );

/** Locks and loads documents that are to be deleted, together with the documents that refer to them. */
export const openForDeletion = (
  session: Session,
  services: Pick<WriteServices, "registry">,
  type: ContentType,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, Opened>> =>
  openAll(session, type, documentIds, () => lockDeletion(session, services, type, documentIds));
