/** Creating and changing documents. */
import { ValidationError } from "../../base/errors.ts";
import { checkOne, type RawQuery, type RowSet } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import { checkKeys } from "../body/keys.ts";
import type { State } from "../context.ts";
import { runAfter } from "../hooks.ts";
import { namedIn } from "../links/reach.ts";
import { planWrite, readWrite } from "../plan/write.ts";
import { eventOf, hooksOf, type OperationContext, type OperationRequest, planReadBack } from "./context.ts";
import { writtenLocale } from "./locale.ts";
import { findSingleId, isTaken } from "./single.ts";
import { storeAndRead } from "./store.ts";
import { transact } from "./transaction.ts";

/** Anything but `published` writes the draft only. */
const stateOf = (type: ContentType, { status }: RawQuery): State =>
  type.draftAndPublish && status !== undefined && status !== "published" ? "draft" : "published";

const write = async (
  context: OperationContext,
  type: ContentType,
  known: string | undefined,
  { data, query }: OperationRequest,
): Promise<RowSet | null> => {
  checkOne(context, type, query);
  checkKeys(context, type, data);
  const { services } = context;
  const locale = writtenLocale(services.config, type, query["locale"]);
  const state = stateOf(type, query);
  const publishes = type.draftAndPublish && state === "published";
  const hooks = hooksOf(services, type);
  const followUp = services.followUps[type.uid];
  const event = eventOf(context, type, locale);
  const isNew = known === undefined;
  const before = { ...event, documentId: known, data, status: state };
  const replaced = await (isNew ? hooks.beforeCreate?.(before) : hooks.beforeUpdate?.(before));
  if (publishes) await hooks.beforePublish?.({ ...event, documentId: known });

  const read = readWrite(services, { type, documentId: known, data: replaced ?? data, locale, state });
  const { documentId } = read;
  const shown = await transact(services, [documentId, ...namedIn(read.reach)], async (session) => {
    const plan = await planWrite(session, read);
    if (!plan) return null;
    if (!isNew) await followUp?.updated?.(session, documentId, read.request.data);
    const readBack = planReadBack(context, session, type, documentId, { state, locale, query });
    return storeAndRead(session, plan, readBack);
  });
  if (!shown) return null;
  const after = { ...event, documentId, status: state };
  await runAfter(services.log, [
    () => followUp?.committed(services.database),
    () => (isNew ? hooks.afterCreate?.(after) : hooks.afterUpdate?.(after)),
    () => (publishes ? hooks.afterPublish?.(after) : undefined),
  ]);
  return shown;
};

/** Creates a document and answers with it. */
export const create = async (
  context: OperationContext,
  type: ContentType,
  request: OperationRequest,
): Promise<RowSet | null> => {
  try {
    return await write(context, type, undefined, request);
  } catch (error) {
    throw isTaken(error) ? new ValidationError(`${type.uid} is a single type, and it has been created already`) : error;
  }
};

/** Changes a document, in a locale that it has or gets by this; null when there is no such document. */
export const update = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  request: OperationRequest,
): Promise<RowSet | null> => write(context, type, documentId, request);

/**
 * Changes the document of a single type, or creates it. When somebody else creates it meanwhile, theirs is changed; when
 * somebody deletes it meanwhile, it is created.
 */
export const updateSingle = async (
  context: OperationContext,
  type: ContentType,
  request: OperationRequest,
): Promise<RowSet | null> => {
  const find = (): Promise<string | undefined> => findSingleId(context.services.database, type);
  for (;;) {
    const documentId = await find();
    try {
      const written = await write(context, type, documentId, request);
      if (written || documentId === undefined || documentId === (await find())) return written;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
};
