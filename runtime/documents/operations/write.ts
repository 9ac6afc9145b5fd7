/** Creates and changes documents, and adds locales to them with the values of another. */
import { system } from "../../access/caller.ts";
import { mayPublish, mayReadDrafts } from "../../access/drafts.ts";
import {
  ForbiddenError,
  PreconditionFailedError,
  ServiceUnavailableError,
  ValidationError,
} from "../../base/errors.ts";
import { instantText } from "../../database/instants.ts";
import { prepare, type RawQuery, readOne } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import type { Data } from "../../schema/validation/check.ts";
import { attributeOf, isCopiedToLocales } from "../attributes.ts";
import { checkKeys, mayWrite } from "../body/keys.ts";
import type { WriteHooks } from "../hooks.ts";
import { namedIn, OWN } from "../links/reach.ts";
import { openDocument, type Plan } from "../plan/plan.ts";
import { isPublishing, type WriteRequest } from "../plan/version.ts";
import { planWrites, readWrite } from "../plan/write.ts";
import type { Done, OperationContext, OperationRequest, Task } from "./context.ts";
import { findSingleId, isTaken } from "./find.ts";
import { isHidden } from "./guard.ts";
import { changeOf, changeWithHooks, eventOf } from "./hooks.ts";
import { statusOf, writtenLocale } from "./parameters.ts";
import { storedBody } from "./stored-body.ts";
import { mayShow, planReadBack, storeAndRead, transact } from "./transaction.ts";

/** The locale to add to a document, and the source of its values. */
export interface Translation {
  /** Undefined for a document that does not exist yet. */
  readonly documentId: string | undefined;
  readonly locale: string | null;
  readonly copyFrom: unknown;
}

const refused = (reason: string): ValidationError => new ValidationError(`copyFrom: ${reason}`);

/**
 * The values that a new locale takes from another: from its draft, or its only version. Omits what the caller may not
 * write, and what all locales share. Locks the document, so it has to run in the transaction of the write.
 *
 * @returns undefined if there is no such document
 * @throws ValidationError if there is nothing to copy, or if the locale is there already
 * @throws ForbiddenError if the caller may not read drafts of the type
 */
const copiedData = async (
  context: OperationContext,
  type: ContentType,
  { documentId, locale, copyFrom }: Translation,
): Promise<Data | undefined> => {
  const { services } = context;
  const from = writtenLocale(services.config, type, copyFrom);
  if (from === null || locale === null) throw refused(`${type.uid} is not localized`);
  if (documentId === undefined) throw refused("a new document has no other locale");
  const opened = await openDocument(services.database, type, documentId, OWN);
  if (!opened || (await isHidden(context, type, documentId))) return undefined;
  const status = type.draftAndPublish ? "draft" : "published";
  const present = opened.versions.filter((version) => version.status === status);
  if (present.some((version) => version.locale === locale))
    throw refused(`the document has locale "${locale}" already`);
  const source = present.find((version) => version.locale === from);
  const isSeen = await readOne(context, type, documentId, { fields: ["documentId"], status, locale: from });
  if (!source || !isSeen) throw refused(`the document has no locale "${from}"`);
  const stored = Object.entries(await storedBody(context, type, source));
  return Object.fromEntries(
    stored.filter(([name, value]) => {
      const attribute = attributeOf(type, name);
      return attribute && !isCopiedToLocales(attribute) && mayWrite(context, type, name, value);
    }),
  );
};

/** A requested write, before any hook has run. */
export interface Wanted extends WriteRequest, Omit<OperationRequest, "anyLocale" | "unpublishes" | "newId"> {}

/** What the query of a write specifies, besides its document and data. */
export const commonOf = (
  { services: { config, registry, queries }, caller }: OperationContext,
  type: ContentType,
  query: RawQuery,
): Omit<Wanted, "data" | "documentId"> => ({
  type,
  query,
  locale: writtenLocale(config, type, query["locale"]),
  status: statusOf(type, query),
  seesDrafts: (uid) => !registry.contentType(uid).draftAndPublish || mayReadDrafts(config, caller, uid),
  ...(caller.rows ? { readable: (uid) => queries.limitFor(caller, registry.contentType(uid), "find") } : {}),
});

/** Runs the hooks before a write, and returns the write as they changed it. */
const runBefore = async (context: OperationContext, hooks: WriteHooks, wanted: Wanted): Promise<Wanted> => {
  const { type, documentId, data, locale, status, unpublishes } = wanted;
  const event = eventOf(context, type, locale);
  const before = { ...event, documentId, data, status };
  const replaced = await (documentId === undefined ? hooks.beforeCreate?.(before) : hooks.beforeUpdate?.(before));
  if (replaced) checkKeys({ services: context.services, caller: system }, type, replaced);
  if (isPublishing(wanted)) await hooks.beforePublish?.({ ...event, documentId });
  if (unpublishes && documentId !== undefined) await hooks.beforeUnpublish?.({ ...event, documentId });
  return replaced ? { ...wanted, data: replaced } : wanted;
};

/** The tasks after a write, in order; none without hooks. */
export const tasksAfter = (
  context: OperationContext,
  hooks: WriteHooks,
  wanted: Wanted,
  { documentId, plan }: Done,
): Task[] => {
  if (!hooks.afterCreate && !hooks.afterUpdate && !hooks.afterPublish && !hooks.afterUnpublish) return [];
  const { type, locale, status, unpublishes } = wanted;
  const about = { ...eventOf(context, type, locale), documentId, status };
  const after = (before: Status) => ({ ...about, ...changeOf(context, plan, before) });
  return [
    () => (wanted.documentId === undefined ? hooks.afterCreate?.(after("draft")) : hooks.afterUpdate?.(after("draft"))),
    () => (isPublishing(wanted) ? hooks.afterPublish?.(after("published")) : undefined),
    () => (unpublishes ? hooks.afterUnpublish?.(after("published")) : undefined),
  ];
};

/** The query to validate. A caller who may write drafts need not have permission to read them. */
const checkedQuery = (context: OperationContext, type: ContentType, query: RawQuery): RawQuery =>
  query["status"] === "draft" && !mayShow(context, type, "draft") ? { ...query, status: "published" } : query;

/** Refuses to replace a version that is not the one the client has read. */
const demandExpected = (
  context: OperationContext,
  type: ContentType,
  { before }: Plan,
  expected: string | undefined,
): void => {
  if (expected === undefined) return;
  const replaced = before.find(({ status }) => status === "draft") ?? before[0];
  const updatedAt = replaced && instantText(replaced.updatedAt);
  if (updatedAt === expected) return;
  throw new PreconditionFailedError(undefined, mayShow(context, type, "draft") ? { updatedAt: updatedAt ?? null } : {});
};

const store = async (context: OperationContext, wanted: Wanted): Promise<Done | null> => {
  const { services } = context;
  const { type, data, also } = wanted;
  const read = readWrite(services, wanted);
  const { documentId } = read;
  return transact(services, [documentId, ...namedIn(read.reach)], async (session): Promise<Done | null> => {
    const [plan] = await planWrites(session, [read]);
    if (!plan) return null;
    demandExpected(context, type, plan, wanted.expected);
    if (wanted.documentId !== undefined) await services.followUps[type.uid]?.updated?.(session, documentId, data);
    const readBack = planReadBack(context, session, type, documentId, wanted);
    if (!also) return { documentId, plan, shown: await storeAndRead(context, session, plan, readBack) };
    const shown = await session.transaction((inner) => storeAndRead(context, inner, plan, readBack));
    await also(session, documentId);
    return { documentId, plan, shown };
  });
};

const write = async (
  context: OperationContext,
  type: ContentType,
  documentId: string | undefined,
  request: OperationRequest,
): Promise<Done | null> => {
  const { data, query, copyFrom } = request;
  const publishes = isPublishing({ type, status: statusOf(type, query) });
  if (publishes && !mayPublish(context.services.config, context.caller, type.uid)) throw new ForbiddenError();
  prepare(context, type, checkedQuery(context, type, query), true);
  checkKeys(context, type, data);
  const state: Wanted = { ...request, ...commonOf(context, type, query), documentId };
  const steps = { before: runBefore, make: store, after: tasksAfter };
  if (copyFrom === undefined) return changeWithHooks(context, type, documentId, { state, ...steps });
  return context.services.inUnit(async (services) => {
    const inside = { ...context, services };
    const copied = await copiedData(inside, type, { ...state, copyFrom });
    if (!copied) return null;
    const whole = { ...state, data: { ...copied, ...data }, anyLocale: true };
    return changeWithHooks(inside, type, documentId, { state: whole, ...steps });
  });
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

/** Maximum attempts to write a single type while other requests keep creating or deleting its document. */
const ATTEMPTS = 10;

/**
 * Changes the document of a single type, or creates it. If another request creates it meanwhile, changes that one; if
 * another deletes it meanwhile, creates it. The hooks before the write run on every attempt.
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
  throw new ServiceUnavailableError("Other requests are creating and deleting this document; try again");
};
