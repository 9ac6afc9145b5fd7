/** Deleting versions, and with its last one a document, in a transaction. */
import type { Transaction } from "../../database/database.ts";
import { sendAll } from "../../database/statement.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { WriteServices } from "../context.ts";
import { openForDeletion } from "../plan/open.ts";
import { deleteDocuments } from "../sql/document.ts";
import { deleteVersions, type LoadedVersion } from "../sql/version.ts";
import type { Also } from "./context.ts";
import { versionIn } from "./hooked.ts";

export interface Deletion {
  readonly type: ContentType;
  readonly documentIds: readonly string[];
  /** Undefined for all. */
  readonly locales: readonly string[] | undefined;
  /** Done before, while the documents are there and locked. */
  readonly also?: Also | undefined;
  /** Which of those that are locked still go; all of them when left out. */
  stillThere?(): Promise<ReadonlySet<string>>;
}

/** The version that stands for what a deletion takes away. */
const mainOf = (
  { config }: Pick<WriteServices, "config">,
  type: ContentType,
  gone: readonly LoadedVersion[],
): LoadedVersion | undefined => {
  const inDefault = gone.filter(({ locale }) => locale === config.locales.default);
  return versionIn(type, inDefault, "draft") ?? versionIn(type, gone, "draft") ?? gone[0];
};

/**
 * Deletes documents in the given locales, and those that have no other locale as a whole. The transaction ends with it.
 *
 * @returns what is gone, by documentId
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
    ...(whole.length > 0 ? [deleteDocuments(whole)] : []),
    ...(partly.length > 0 ? [deleteVersions(type, partly, { locales })] : []),
  ];
  if (statements.length > 0) await session.last(() => sendAll(session, statements));
  return removed;
};
