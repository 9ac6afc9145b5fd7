/** Creates and changes documents. */
import { mayPublish, mayReadDrafts } from "../../access/drafts.ts";
import { ForbiddenError, ServiceUnavailableError, ValidationError } from "../../base/errors.ts";
import { checkOne, type RawQuery } from "../../query/index.ts";
import type { ContentType, Uid } from "../../schema/content-type.ts";
import { checkKeys } from "../body/keys.ts";
import { namedIn } from "../links/reach.ts";
import { planWrites, readWrite } from "../plan/write.ts";
import { afterwards } from "./after.ts";
import {
  besideHooks,
  type Done,
  hooksOf,
  mayShow,
  type OperationContext,
  type OperationRequest,
  planReadBack,
} from "./context.ts";
import { writtenLocale } from "./locale.ts";
import { findSingleId, isTaken } from "./single.ts";
import { storeAndRead } from "./store.ts";
import { transact } from "./transaction.ts";
import { follow, prepared, statusOf, type Wanted } from "./wanted.ts";

/** The query for checking. A caller who may write drafts need not have the permission to read them. */
const checkedQuery = (context: OperationContext, type: ContentType, query: RawQuery): RawQuery =>
  query["status"] === "draft" && !mayShow(context, type, "draft") ? { ...query, status: "published" } : query;

const store = async (context: OperationContext, wanted: Wanted): Promise<Done | null> => {
  const { services } = context;
  const { type, known, data, query, locale, status, unpublishes, also } = wanted;
  const { config, registry } = services;
  const seesDrafts = (uid: Uid) =>
    !registry.contentType(uid).draftAndPublish || mayReadDrafts(config, context.caller, uid);
  const read = readWrite(services, { type, documentId: known, data, locale, status, unpublishes, seesDrafts });
  const { documentId } = read;
  return transact(services, [documentId, ...namedIn(read.reach)], async (session): Promise<Done | null> => {
    const [plan] = await planWrites(session, [read]);
    if (!plan) return null;
    if (known !== undefined) {
      await services.followUps[type.uid]?.updated?.(session, documentId, read.request.data);
    }
    const readBack = planReadBack(context, session, type, documentId, { status, locale, query });
    if (!also) return { documentId, plan, shown: await storeAndRead(session, plan, readBack) };
    const shown = await session.transaction((inner) => storeAndRead(inner, plan, readBack));
    await also(session, documentId);
    return { documentId, plan, shown };
  });
};

const write = async (
  context: OperationContext,
  type: ContentType,
  known: string | undefined,
  { data, query, unpublishes = false, also }: OperationRequest,
): Promise<Done | null> => {
  const { services } = context;
  const status = statusOf(type, query);
  const publishes = type.draftAndPublish && status === "published";
  if (publishes && !mayPublish(services.config, context.caller, type.uid)) throw new ForbiddenError();
  checkOne(context, type, checkedQuery(context, type, query));
  checkKeys(context, type, data);
  const locale = writtenLocale(services.config, type, query["locale"]);
  const hooks = hooksOf(services, type);
  const asked: Wanted = { type, known, data, query, locale, status, publishes, unpublishes, ...(also && { also }) };
  const wanted = await prepared(context, hooks, asked);
  const written = await besideHooks(context, hooks, known, async (inside, own) => {
    const changed = await prepared(inside, own, wanted);
    const done = await store(inside, changed);
    if (done) for (const task of follow(inside, own, changed, done)) await task();
    return done;
  });
  if (!written) return null;
  await afterwards(context, (outside) => [
    () => services.followUps[type.uid]?.committed(outside.services.database),
    ...follow(outside, hooks, wanted, written),
  ]);
  return written;
};

/** Creates a document and returns it. Publishing needs a permission (403), as in every write. */
export const create = async (
  context: OperationContext,
  type: ContentType,
  request: OperationRequest,
): Promise<Done> => {
  const created = await write(context, type, undefined, request).catch((error: unknown) => {
    throw isTaken(error) ? new ValidationError(`${type.uid} is a single type, and it has been created already`) : error;
  });
  if (!created) throw new Error(`The new document of ${type.uid} was not stored`);
  return created;
};

/** Changes a document in a locale, or adds that locale; null if there is no such document. */
export const update = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  request: OperationRequest,
): Promise<Done | null> => write(context, type, documentId, request);

/** Most attempts to write a single type while other requests keep creating or deleting its document. */
const ATTEMPTS = 10;

/**
 * Changes the document of a single type, or creates it. If another request creates it meanwhile, that one is changed;
 * if another deletes it meanwhile, it is created. The hooks before the write run with every attempt.
 *
 * @throws ServiceUnavailableError after too many attempts
 */
export const updateSingle = async (
  context: OperationContext,
  type: ContentType,
  request: OperationRequest,
): Promise<Done | null> => {
  const find = (): Promise<string | undefined> => findSingleId(context.services.database, type);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const documentId = await find();
    try {
      const written = await write(context, type, documentId, request);
      if (written || documentId === undefined || documentId === (await find())) return written;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  throw new ServiceUnavailableError("Others create and delete this at the same time; try again");
};
