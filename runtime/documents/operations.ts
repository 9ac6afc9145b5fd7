/**
 * What can be done to documents, each in one transaction that ends with reading what was written in the shape that the
 * query asks for. REST, GraphQL and the document service go through here.
 */
import type { ContentType } from "../content-type.ts";
import type { Session } from "../database/database.ts";
import { ValidationError } from "../errors.ts";
import { checkOne, type RawQuery, type ReadContext, readOne, readSingle } from "../query/index.ts";
import type { Services } from "../services.ts";
import { checkKeys } from "./body/keys.ts";
import type { State } from "./context.ts";
import { deletedLocales, writtenLocale } from "./locale.ts";
import { findSingleId } from "./single.ts";
import { discardDraft as discard, publishDraft, removeDocument, unpublish as withdraw } from "./state.ts";
import { transact } from "./transaction.ts";
import { type WriteRequest, writeDocument } from "./write.ts";

/** Who writes: the caller's permissions decide which relations may be written and shown. */
export type OperationContext = ReadContext & { readonly services: Pick<Services, "config" | "database" | "registry"> };

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

const write = (
  context: OperationContext,
  type: ContentType,
  find: (session: Session) => Promise<string | undefined | null>,
  { data, query }: OperationRequest,
): Promise<string | null> => {
  checkOne(context, type, query);
  checkKeys(context, type, data);
  const { services } = context;
  const locale = writtenLocale(services.config, type, query["locale"]);
  const state = stateOf(type, query);
  return transact(services.database, async (session) => {
    const documentId = await find(session);
    if (documentId === null) return null;
    const request: WriteRequest = { type, documentId, data, locale, state };
    const written = await writeDocument(services, session, request);
    return written ? readBack(context, session, type, written.documentId, { state, locale, query }) : null;
  });
};

/** Creates a document and answers with it. */
export const create = (
  context: OperationContext,
  type: ContentType,
  request: OperationRequest,
): Promise<string | null> => write(context, type, async () => undefined, request);

/** Changes a document, in a locale that it has or gets by this; null when there is no such document. */
export const update = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  request: OperationRequest,
): Promise<string | null> => write(context, type, async () => documentId, request);

/** Changes the document of a single type, or creates it. */
export const updateSingle = (
  context: OperationContext,
  type: ContentType,
  request: OperationRequest,
): Promise<string | null> => write(context, type, (session) => findSingleId(session, type), request);

/** Whether the document matches the filters of the query. */
const matches = async (
  context: OperationContext,
  session: Session,
  type: ContentType,
  documentId: string | undefined,
  query: RawQuery,
): Promise<boolean> => {
  if (query["filters"] === undefined) return true;
  const read = { ...query, fields: ["documentId"], populate: undefined };
  const inside = { ...context, session };
  const found = documentId === undefined ? readSingle(inside, type, read) : readOne(inside, type, documentId, read);
  return (await found) !== null;
};

const removeFound = (
  context: OperationContext,
  type: ContentType,
  find: (session: Session) => Promise<string | undefined>,
  query: RawQuery,
): Promise<boolean> => {
  const { locale, status, ...rest } = query;
  checkOne(context, type, rest);
  if (type.draftAndPublish && status !== undefined && status !== "published") {
    throw new ValidationError("A draft cannot be deleted by itself. Leave out the status to delete the document");
  }
  const { services } = context;
  const locales = deletedLocales(services.config, type, locale);
  return transact(services.database, async (session) => {
    const documentId = await find(session);
    if (documentId === undefined || !(await matches(context, session, type, documentId, query))) return false;
    return removeDocument(session, type, documentId, locales);
  });
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

type Change = (
  session: Session,
  request: { type: ContentType; documentId: string; locale: string | null },
) => Promise<boolean>;

const change = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  query: RawQuery,
  { state, apply }: { state: State; apply: Change },
): Promise<string | null> => {
  const { services } = context;
  checkOne(context, type, query);
  const locale = writtenLocale(services.config, type, query["locale"]);
  return transact(services.database, async (session) => {
    const done = await apply(session, { type, documentId, locale });
    return done ? readBack(context, session, type, documentId, { state, locale, query }) : null;
  });
};

/** Publishes the draft and answers with the published version; null when there is no such document. */
export const publish = (context: OperationContext, type: ContentType, documentId: string, query: RawQuery) =>
  change(context, type, documentId, query, {
    state: "published",
    apply: (session, request) => publishDraft(context.services, session, request),
  });

/** Takes the published version away and answers with the draft. */
export const unpublish = (context: OperationContext, type: ContentType, documentId: string, query: RawQuery) =>
  change(context, type, documentId, query, { state: "draft", apply: withdraw });

/** Makes the draft what is published, and answers with it. */
export const discardDraft = (context: OperationContext, type: ContentType, documentId: string, query: RawQuery) =>
  change(context, type, documentId, query, {
    state: "draft",
    apply: (session, request) => discard(context.services, session, request),
  });
