/** Deletes many documents in one transaction. */
import type { RawQuery } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { openForDeletion } from "../plan/open.ts";
import { afterwards } from "./after.ts";
import { eventOf, hooksOf, type OperationContext } from "./context.ts";
import { deleteAll } from "./deletion.ts";
import { findIds, matchOf } from "./found.ts";
import { hookedDocument } from "./hooked.ts";
import { deletedLocales } from "./locale.ts";
import { placed } from "./placed-faults.ts";
import { remove } from "./remove.ts";
import { transact } from "./transaction.ts";

const oneByOne = (
  context: OperationContext,
  type: ContentType,
  match: RawQuery,
  locale: unknown,
): Promise<readonly string[]> =>
  context.services.inUnit(async (services) => {
    const inside = { ...context, services };
    const { database } = services;
    const before = await findIds(inside, database, type, match);
    await openForDeletion(database, services, type, [...before]);
    const removed: string[] = [];
    for (const documentId of await findIds(inside, database, type, match)) {
      if (!before.has(documentId)) continue;
      try {
        if (await remove(inside, type, documentId, locale === undefined ? {} : { locale })) removed.push(documentId);
      } catch (error) {
        throw placed(error, { label: documentId, key: documentId });
      }
    }
    return removed;
  });

/**
 * Deletes the documents that a query finds in one transaction: in the query's locale, by default in the default locale,
 * or in all (`*`).
 *
 * @returns the documentIds
 */
export const removeMany = async (
  context: OperationContext,
  type: ContentType,
  query: RawQuery,
): Promise<readonly string[]> => {
  const { services } = context;
  const match = matchOf(query);
  const { locale } = query;
  const locales = deletedLocales(services.config, type, locale);
  const hooks = hooksOf(services, type);
  if (hooks.inTransaction || hooks.beforeDelete) return oneByOne(context, type, match, locale);
  const removed = await transact(services, [], async (session) => {
    const found = await findIds(context, session, type, match);
    const stillThere = () => findIds(context, session, type, match);
    return deleteAll(session, services, { type, documentIds: [...found], locales, stillThere });
  });
  const { afterDelete } = hooks;
  const gone = locales?.length === 1 ? (locales[0] ?? null) : null;
  await afterwards(context, (outside) => [
    () => (removed.size > 0 ? services.followUps[type.uid]?.committed(outside.services.database) : undefined),
    ...(afterDelete ? [...removed] : []).map(([documentId, version]) => async () => {
      const previous = hookedDocument(services, type, documentId, version);
      await afterDelete?.({ ...eventOf(outside, type, gone), documentId, previous });
    }),
  ]);
  return [...removed.keys()];
};
