/** Deleting documents. */
import { ValidationError } from "../../base/errors.ts";
import type { Session } from "../../database/database.ts";
import { checkOne, type RawQuery, readOne } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { DocumentEvent, WriteHooks } from "../hooks.ts";
import type { LoadedVersion } from "../sql/version.ts";
import { afterwards } from "./after.ts";
import { type Also, besideHooks, eventOf, hooksOf, type OperationContext } from "./context.ts";
import { deleteAll } from "./deletion.ts";
import { hookedDocument } from "./hooked.ts";
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
      const gone = await deleteAll(session, services, { type, documentIds: [documentId], locales, also });
      return gone.get(documentId);
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

/**
 * Deletes a document in one or more locales, after the further work in `also`. Returns false when there was nothing to
 * delete.
 */
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
