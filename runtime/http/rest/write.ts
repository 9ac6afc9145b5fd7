/** Handlers of the writing routes. */
import type { Context, Handler } from "hono";
import { NotFoundError } from "../../base/errors.ts";
import type { Schedule } from "../../client/answers.ts";
import * as operations from "../../documents/operations/index.ts";
import type { RawQuery } from "../../query/index.ts";
import type { ContentType, DocumentFields } from "../../schema/content-type.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { contextOf, documentIdOf, isOld, named, translated } from "./read-request.ts";
import { answerDocument } from "./read.ts";
import { answerDone, copyFromOf, dataOf, expectedOf, queryOf } from "./write-request.ts";

const requestOf = (c: Context<AppEnv>): operations.OperationRequest => ({
  data: dataOf(c),
  query: queryOf(c),
  copyFrom: copyFromOf(c),
});

/**
 * The same in the format of version 4: `locale` may be in the body, and {@link operations.wishedStatus} determines the
 * status.
 */
const oldRequestOf = (c: Context<AppEnv>, type: ContentType, where: RawQuery = {}): operations.OperationRequest => {
  const { data, query, copyFrom } = requestOf(c);
  const { status: _status, ...read } = translated(c, type, query);
  const inBody = typeof data["locale"] === "string" ? { locale: data["locale"] } : {};
  return { data, query: { ...read, ...inBody, ...where }, copyFrom };
};

const inStatus = ({ query, ...request }: operations.OperationRequest): operations.OperationRequest => ({
  ...request,
  query: { ...query, status: operations.wishedStatus(request.data) ?? "published" },
});

/** Updates a document, which stays a draft or published, unless `publishedAt` says otherwise; or creates a single type. */
const updateOld = async (
  c: Context<AppEnv>,
  type: ContentType,
  documentId: string | undefined,
  where?: RawQuery,
): Promise<Response> => {
  const context = contextOf(c);
  const request = { ...oldRequestOf(c, type, where), expected: expectedOf(c) };
  if (documentId === undefined) return answerDone(c, await operations.updateSingle(context, type, inStatus(request)));
  const options = { wished: operations.wishedStatus(request.data), absent: "published" } as const;
  return answerDone(c, await operations.updateInPlace(context, type, documentId, request, options));
};

/** Deletes a document in one locale: 200 with the document as it was. */
const removeOld = async (
  c: Context<AppEnv>,
  type: ContentType,
  documentId: string | undefined,
  where: RawQuery = {},
): Promise<Response> => {
  if (documentId === undefined) throw new NotFoundError();
  const { fields, populate, locale } = { ...translated(c, type, queryOf(c)), ...where };
  const removed = await operations.removeInPlace(contextOf(c), type, documentId, locale, { fields, populate });
  if (removed === undefined) throw new NotFoundError();
  if (removed.seen === null) return sendJson(c, '{"data":null,"meta":{}}');
  return answerDocument(c, removed.seen);
};

type WriteOld = typeof removeOld;
type Write = (c: Context<AppEnv>, type: ContentType) => Promise<Response>;

/** In the format of version 4 a number in the path identifies a document, which has only one version. */
const oldById =
  (write: WriteOld): Write =>
  async (c, type) => {
    const { documentId, where } = await named(c, type);
    return write(c, type, documentId, where);
  };

const oldSingle =
  (write: WriteOld): Write =>
  async (c, type) =>
    write(c, type, await operations.findSingleId(c.get("services").database, type));

/** A handler that calls another function for requests in the format of version 4, if there is one. */
const writing =
  (write: Write, writeOld = write) =>
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  (c) =>
    isOld(c) ? writeOld(c, type) : write(c, type);

const replacing = (c: Context<AppEnv>): operations.OperationRequest => ({ ...requestOf(c), expected: expectedOf(c) });

/** POST of a collection: 201 with the new document. In version 4: 200, published unless `publishedAt` is null. */
export const create = writing(
  async (c, type) => answerDone(c, await operations.create(contextOf(c), type, requestOf(c)), 201),
  async (c, type) => answerDone(c, await operations.create(contextOf(c), type, inStatus(oldRequestOf(c, type)))),
);

/** PUT of one document. */
export const update = writing(
  async (c, type) => answerDone(c, await operations.update(contextOf(c), type, documentIdOf(c), replacing(c))),
  oldById(updateOld),
);

/** DELETE of one document: 204, even if there was nothing to delete. */
export const remove = writing(async (c, type) => {
  await operations.remove(contextOf(c), type, documentIdOf(c), queryOf(c));
  return c.body(null, 204);
}, oldById(removeOld));

/** PUT of a single type: creates it if it does not exist yet, also with 200. */
export const updateSingle = writing(
  async (c, type) => answerDone(c, await operations.updateSingle(contextOf(c), type, replacing(c))),
  oldSingle(updateOld),
);

/** DELETE of a single type. */
export const removeSingle = writing(async (c, type) => {
  await operations.removeSingle(contextOf(c), type, queryOf(c));
  return c.body(null, 204);
}, oldSingle(removeOld));

/** A handler for POST of an action on one document; answers 404 if there is none. */
const act = (action: typeof operations.publish) =>
  writing(async (c, type) => answerDone(c, await action(contextOf(c), type, documentIdOf(c), queryOf(c))));

/** The same for the document of a single type. */
const actSingle = (action: typeof operations.publishSingle) =>
  writing(async (c, type) => answerDone(c, await action(contextOf(c), type, queryOf(c))));

/** POST: publishes the draft, and answers with the published version. */
export const publish = act(operations.publish);
/** The same for a single type. */
export const publishSingle = actSingle(operations.publishSingle);
/** POST: removes the published version, and answers with the draft. */
export const unpublish = act(operations.unpublish);
/** The same for a single type. */
export const unpublishSingle = actSingle(operations.unpublishSingle);
/** POST: replaces the draft by the published version, and answers with it. */
export const discardDraft = act(operations.discardDraft);
/** The same for a single type. */
export const discardDraftSingle = actSingle(operations.discardDraftSingle);

const answerSchedule = (c: Context<AppEnv>, schedule: Schedule | null): Response => {
  if (!schedule) throw new NotFoundError();
  return sendJson(c, JSON.stringify({ data: schedule, meta: {} }));
};

/** POST: sets when the draft is published and unpublished, and answers with the schedule. */
export const schedule = writing(async (c, type) =>
  answerSchedule(c, await operations.schedule(contextOf(c), type, documentIdOf(c), requestOf(c))),
);

/** The same for a single type. */
export const scheduleSingle = writing(async (c, type) =>
  answerSchedule(c, await operations.scheduleSingle(contextOf(c), type, requestOf(c))),
);
