/** Deleting documents. */
import { ValidationError } from "../../base/errors.ts";
import type { Session, Transaction } from "../../database/database.ts";
import { send } from "../../database/statement.ts";
import { checkOne, type RawQuery, readOne } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { WriteServices } from "../context.ts";
import type { DocumentEvent, WriteHooks } from "../hooks.ts";
import { openForDeletion } from "../plan/open.ts";
import { deleteDocument } from "../sql/document.ts";
import { deleteVersions, type LoadedVersion } from "../sql/version.ts";
import { afterwards } from "./after.ts";
import { type Also, besideHooks, eventOf, hooksOf, type OperationContext } from "./context.ts";
import { hookedDocument, versionIn } from "./hooked.ts";
import { deletedLocales } from "./locale.ts";
import { findSingleId } from "./single.ts";
import { transact } from "./transaction.ts";

type Find = (session: Session) => Promise<string | undefined>;

/** Whether the document matches the filters of the query. */
const matches = async (
  context: OperationContext,
  session: Session,
  type: ContentType,
  documentId: string,
  query: RawQuery,
): Promise<boolean> => {
  if (query["filters"] === undefined) return true;
  const read = { ...query, fields: ["documentId"], populate: undefined };
  return (await readOne({ ...context, session }, type, documentId, read)) !== null;
};

interface Deletion {
  readonly type: ContentType;
  readonly documentId: string;
  /** Undefined for all. */
  readonly locales: readonly string[] | undefined;
  /** Done before, while the document is there and locked. */
  readonly also: Also | undefined;
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
 * Deletes a document in the given locales, and with its last locale the document itself.
 *
 * @returns what is gone; undefined when there was nothing to delete
 */
const removeDocument = async (
  services: WriteServices,
  session: Transaction,
  { type, documentId, locales, also }: Deletion,
): Promise<LoadedVersion | undefined> => {
  const opened = await openForDeletion(session, services, type, documentId);
  if (!opened) return undefined;
  const { versions } = opened;
  const goes = (version: LoadedVersion): boolean =>
    version.locale === null || locales === undefined || locales.includes(version.locale);
  const gone = versions.filter(goes);
  const main = mainOf(services, type, gone);
  if (!main) return undefined;
  const all = gone.length === versions.length;
  await also?.(session, documentId);
  await session.last(() =>
    send(session, all ? deleteDocument(documentId) : deleteVersions(type, documentId, { locales })),
  );
  return main;
};

const removeFound = async (
  context: OperationContext,
  type: ContentType,
  find: Find,
  query: RawQuery,
  also?: Also,
): Promise<boolean> => {
  const { locale, status, ...rest } = query;
  checkOne(context, type, rest);
  if (type.draftAndPublish && status !== undefined && status !== "published") {
    throw new ValidationError("A draft cannot be deleted by itself. Leave out the status to delete the document");
  }
  const { services } = context;
  const locales = deletedLocales(services.config, type, locale);
  const documentId = await find(services.database);
  if (documentId === undefined) return false;
  const hooks = hooksOf(services, type);
  const gone = locales?.length === 1 ? (locales[0] ?? null) : null;
  const eventIn = (where: OperationContext): DocumentEvent => ({ ...eventOf(where, type, gone), documentId });
  const after = (where: OperationContext, { afterDelete }: WriteHooks, version: LoadedVersion) =>
    afterDelete?.({ ...eventIn(where), previous: hookedDocument(services, type, documentId, version) });
  await hooks.beforeDelete?.(eventIn(context));
  const removed = await besideHooks(context, hooks, documentId, async (inside, own) => {
    await own.beforeDelete?.(eventIn(inside));
    const version = await transact(inside.services, [documentId], async (session) => {
      if (!(await matches(inside, session, type, documentId, query))) return undefined;
      return removeDocument(services, session, { type, documentId, locales, also });
    });
    if (version) await after(inside, own, version);
    return version;
  });
  if (removed) {
    await afterwards(context, (outside) => [
      () => services.followUps[type.uid]?.committed(outside.services.database),
      () => after(outside, hooks, removed),
    ]);
  }
  return removed !== undefined;
};

/** Deletes a document in one locale or more, and before that does `also`; false when there was nothing to delete. */
export const remove = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  query: RawQuery,
  also?: Also,
): Promise<boolean> => removeFound(context, type, async () => documentId, query, also);

/** Deletes the document of a single type. */
export const removeSingle = (context: OperationContext, type: ContentType, query: RawQuery): Promise<boolean> =>
  removeFound(context, type, (session) => findSingleId(session, type), query);
