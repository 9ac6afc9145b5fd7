/**
 * What can be done to documents, each in one transaction that ends with reading what was written in the shape that the
 * query asks for. REST, GraphQL and the document service go through here.
 */
import type { ContentType } from "../content-type.ts";
import type { Session } from "../database/database.ts";
import { ValidationError } from "../errors.ts";
import { checkOne, type RawQuery, type ReadContext, readOne } from "../query/index.ts";
import { checkKeys } from "./body/keys.ts";
import type { State } from "./context.ts";
import { followUpOf } from "./follow-up.ts";
import { type DocumentEvent, type HookServices, hooksOf, runAfter } from "./hooks.ts";
import { deletedLocales, writtenLocale } from "./locale.ts";
import { findSingleId } from "./single.ts";
import {
  discardDraft as discard,
  publishDraft,
  removeDocument,
  type StateRequest,
  unpublish as withdraw,
} from "./state.ts";
import { transact } from "./transaction.ts";
import { type WriteRequest, writeDocument } from "./write.ts";

/** Who writes: the caller's permissions decide which relations may be written and shown. */
export type OperationContext = ReadContext & { readonly services: HookServices };

export interface OperationRequest {
  readonly data: Readonly<Record<string, unknown>>;
  /** `locale`, `status`, and what shapes the answer: `fields`, `populate`. */
  readonly query: RawQuery;
}

/** Anything but `published` writes the draft only. */
const stateOf = (type: ContentType, { status }: RawQuery): State =>
  type.draftAndPublish && status !== undefined && status !== "published" ? "draft" : "published";

/** Reads what was written, whatever the query filters. */
const readBack = (
  context: OperationContext,
  session: Session,
  type: ContentType,
  documentId: string,
  { state, locale, query }: { state: State; locale: string | null; query: RawQuery },
): Promise<string | null> => {
  const { fields, populate } = query;
  const status = type.draftAndPublish ? state : (query["status"] ?? state);
  return readOne({ ...context, session }, type, documentId, {
    ...(fields === undefined ? {} : { fields }),
    ...(populate === undefined ? {} : { populate }),
    ...(locale === null ? {} : { locale }),
    status,
  });
};

type Find = (session: Session) => Promise<string | undefined>;

/** What hooks are told about a write. */
const eventOf = ({ services, caller }: OperationContext, type: ContentType, locale: string | null) => ({
  uid: type.uid,
  caller,
  locale,
  documents: services.documents,
});

interface Written {
  readonly json: string;
  readonly documentId: string;
}

const write = async (
  context: OperationContext,
  type: ContentType,
  known: string | undefined,
  { data, query }: OperationRequest,
): Promise<string | null> => {
  checkOne(context, type, query);
  checkKeys(context, type, data);
  const { services } = context;
  const locale = writtenLocale(services.config, type, query["locale"]);
  const state = stateOf(type, query);
  const publishes = type.draftAndPublish && state === "published";
  const hooks = hooksOf(services, type);
  const followUp = followUpOf(type);
  const event = eventOf(context, type, locale);
  const isNew = known === undefined;
  const before = { ...event, documentId: known, data, status: state };
  const replaced = await (isNew ? hooks.beforeCreate?.(before) : hooks.beforeUpdate?.(before));
  if (publishes) await hooks.beforePublish?.({ ...event, documentId: known });

  const written = await transact(services.database, async (session): Promise<Written | null> => {
    const request: WriteRequest = { type, documentId: known, data: replaced ?? data, locale, state };
    const done = await writeDocument(services, session, request);
    if (done && !isNew) await followUp?.updated?.(session, done.documentId, request.data);
    const json = done && (await readBack(context, session, type, done.documentId, { state, locale, query }));
    return done && json ? { json, documentId: done.documentId } : null;
  });
  if (!written) return null;
  const after = { ...event, documentId: written.documentId, status: state };
  await runAfter(services.log, [
    () => followUp?.committed(services.database),
    () => (isNew ? hooks.afterCreate?.(after) : hooks.afterUpdate?.(after)),
    () => (publishes ? hooks.afterPublish?.(after) : undefined),
  ]);
  return written.json;
};

/** Creates a document and answers with it. */
export const create = (
  context: OperationContext,
  type: ContentType,
  request: OperationRequest,
): Promise<string | null> => write(context, type, undefined, request);

/** Changes a document, in a locale that it has or gets by this; null when there is no such document. */
export const update = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  request: OperationRequest,
): Promise<string | null> => write(context, type, documentId, request);

/** Changes the document of a single type, or creates it. */
export const updateSingle = async (
  context: OperationContext,
  type: ContentType,
  request: OperationRequest,
): Promise<string | null> => write(context, type, await findSingleId(context.services.database, type), request);

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
  const event = { ...eventOf(context, type, locales?.length === 1 ? (locales[0] ?? null) : null), documentId };
  await hooks.beforeDelete?.(event);
  const removed = await transact(services.database, async (session) => {
    if (!(await matches(context, session, type, documentId, query))) return false;
    return removeDocument(session, type, documentId, locales);
  });
  if (removed) {
    await runAfter(services.log, [
      () => followUpOf(type)?.committed(services.database),
      () => hooks.afterDelete?.(event),
    ]);
  }
  return removed;
};

/** Deletes a document in one locale or more; false when there was nothing to delete. */
export const remove = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  query: RawQuery,
): Promise<boolean> => removeFound(context, type, async () => documentId, query);

/** Deletes the document of a single type. */
export const removeSingle = (context: OperationContext, type: ContentType, query: RawQuery): Promise<boolean> =>
  removeFound(context, type, (session) => findSingleId(session, type), query);

interface Change {
  /** The version that is answered with. */
  readonly state: State;
  apply(session: Session, request: StateRequest): Promise<boolean>;
  readonly before?: ((event: DocumentEvent) => unknown) | undefined;
  readonly after?: ((event: DocumentEvent) => void | Promise<void>) | undefined;
}

const change = async (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  query: RawQuery,
  { state, apply, before, after }: Change,
): Promise<string | null> => {
  const { services } = context;
  checkOne(context, type, query);
  const locale = writtenLocale(services.config, type, query["locale"]);
  const event = { ...eventOf(context, type, locale), documentId };
  await before?.(event);
  const json = await transact(services.database, async (session) => {
    const done = await apply(session, { type, documentId, locale });
    return done ? readBack(context, session, type, documentId, { state, locale, query }) : null;
  });
  if (json !== null) await runAfter(services.log, [() => after?.(event)]);
  return json;
};

/** Publishes the draft and answers with the published version; null when there is no such document. */
export const publish = (context: OperationContext, type: ContentType, documentId: string, query: RawQuery) => {
  const hooks = hooksOf(context.services, type);
  return change(context, type, documentId, query, {
    state: "published",
    apply: (session, request) => publishDraft(context.services, session, request),
    before: (event) => hooks.beforePublish?.(event),
    after: (event) => hooks.afterPublish?.(event),
  });
};

/** Takes the published version away and answers with the draft. */
export const unpublish = (context: OperationContext, type: ContentType, documentId: string, query: RawQuery) => {
  const hooks = hooksOf(context.services, type);
  return change(context, type, documentId, query, {
    state: "draft",
    apply: withdraw,
    before: (event) => hooks.beforeUnpublish?.(event),
    after: (event) => hooks.afterUnpublish?.(event),
  });
};

/** Makes the draft what is published, and answers with it. */
export const discardDraft = (context: OperationContext, type: ContentType, documentId: string, query: RawQuery) =>
  change(context, type, documentId, query, {
    state: "draft",
    apply: (session, request) => discard(context.services, session, request),
  });
