/** Deletes versions in a transaction, and a document with its last version. */
import type { Transaction } from "../../database/database.ts";
import { sendAll } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { WriteServices } from "../context.ts";
import { openForDeletion } from "../plan/open.ts";
import { deleteDocuments, deleteVersions } from "../sql/deletion.ts";
import type { LoadedVersion } from "../sql/version.ts";
import type { Also } from "./context.ts";
import { versionIn } from "./hooked.ts";

export interface Deletion {
  readonly type: ContentType;
  readonly documentIds: readonly string[];
  /** The locales to delete; undefined for all. */
  readonly locales: readonly string[] | undefined;
  /** Further work before the deletion, while the documents exist and are locked. */
  readonly also?: Also | undefined;
  /** Which of the locked documents are still to be deleted; all by default. */
  stillThere?(): Promise<ReadonlySet<string>>;
}

/** The version that represents the deleted document in hooks and answers. */
const mainOf = (
  { config }: Pick<WriteServices, "config">,
  type: ContentType,
  gone: readonly LoadedVersion[],
): LoadedVersion | undefined => {
  const inDefault = gone.filter(({ locale }) => locale === config.locales.default);
  return versionIn(type, inDefault, "draft") ?? versionIn(type, gone, "draft") ?? gone[0];
};

/**
 * Deletes documents in the given locales; a document that has no other locale is deleted as a whole. It is the last
 * work of the transaction.
 *
 * @returns the deleted versions by documentId
 */
export const deleteAll = async (
  session: Transaction,
  services: WriteServices,
  { type, documentIds, locales, also, stillThere }: Deletion,
): Promise<ReadonlyMap<string, LoadedVersion>> => {
  if (documentIds.length === 0) return new Map();
  const named = documentIds.filter((documentId) => !documentId.includes("\0"));
  const opened = await openForDeletion(session, services, type, named);
  const meant = await stillThere?.();
  const removed = new Map<string, LoadedVersion>();
  const whole: string[] = [];
  const partly: string[] = [];
  const goes = ({ locale }: LoadedVersion): boolean =>
    locale === null || locales === undefined || locales.includes(locale);
  for (const [documentId, { versions }] of opened) {
    const gone = versions.filter(goes);
    const main = mainOf(services, type, gone);
    if (!main || meant?.has(documentId) === false) continue;
    removed.set(documentId, main);
    (gone.length === versions.length ? whole : partly).push(documentId);
    await also?.(session, documentId);
  }
  const statements = [
    ...(whole.length > 0 ? deleteDocuments(type, whole) : []),
    ...(partly.length > 0 ? deleteVersions(type, partly, { locales }) : []),
  ];
  if (statements.length > 0) await session.last(() => sendAll(session, statements));
  return removed;
};
