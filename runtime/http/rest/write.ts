/** Handlers of the writing routes, what they read from a request, and how they answer it. */
import type { Context, Handler } from "hono";
import { BadRequestError, NotFoundError, ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import * as operations from "../../documents/operations/index.ts";
import type { RawQuery } from "../../query/index.ts";
import type { ContentType, DocumentFields } from "../../schema/content-type.ts";
import { validationError } from "../../schema/validation/check.ts";
import { valueText } from "../../schema/validation/print.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { answerDocument, contextOf, documentIdOf, isOld, metaOf, named, queryOf, translated } from "./exchange.ts";

/** `If-Match`: the `updatedAt` of the version that the client has read, in quotes. `*` matches any version. */
const expectedOf = (c: Context<AppEnv>): string | undefined => {
  const tag = c.req.header("if-match");
  if (tag === undefined || tag.trim() === "*") return undefined;
  const [, updatedAt] = /^\s*"([^"]*)"\s*$/.exec(tag) ?? [];
  if (updatedAt === undefined) throw new BadRequestError('If-Match takes one "updatedAt" of a document, in quotes');
  return updatedAt;
};

/** A hint for requests whose body has no content type, or one that we do not parse. */
const contentTypeHint = (c: Context<AppEnv>): string => {
  const isSent = c.req.header("transfer-encoding") !== undefined || Number(c.req.header("content-length") ?? 0) > 0;
  if (c.get("body") !== undefined || !isSent) return "";
  const type = c.req.header("content-type");
  const found = type === undefined ? "it has no Content-Type" : `its Content-Type is ${JSON.stringify(type)}`;
  return `: ${found}, send it with "Content-Type: application/json"`;
};

/** The member `data` of the body. */
export const dataOf = (c: Context<AppEnv>): Readonly<Record<string, unknown>> => {
  const body = c.get("body");
  const data: unknown = isRecord(body) ? body["data"] : undefined;
  if (isRecord(data)) return data;
  if (!Array.isArray(data))
    throw new ValidationError(`Missing "data" payload in the request body${contentTypeHint(c)}`);
  const message = `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${valueText(data)}\`).`;
  throw validationError([{ path: [], message, name: "ValidationError", value: null }]);
};

/** The locale that `meta` in the body names to copy from. */
const copyFromOf = (c: Context<AppEnv>): unknown => {
  const body = c.get("body");
  const meta = isRecord(body) ? body["meta"] : undefined;
  return isRecord(meta) ? (meta["copyFrom"] ?? undefined) : undefined;
};

/**
 * Answers with the envelope of the written document, or with only its documentId if the caller may not read it; 404 if
 * there is none.
 */
export const answerDone = async (
  c: Context<AppEnv>,
  done: operations.Done | null,
  status: 200 | 201 = 200,
  more: object = {},
): Promise<Response> => {
  if (done === null) return answerDocument(c, null);
  const { type, version } = done.plan;
  if (done.shown)
    return answerDocument(c, done.shown, status, { ...(await metaOf(contextOf(c), type, version)), ...more });
  const meta = JSON.stringify(more);
  return sendJson(c, `{"data":{"documentId":${JSON.stringify(done.documentId)}},"meta":${meta}}`, status);
};

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

/** The document that a request is about; undefined for a single type whose document is not created yet. */
const subjectOf = async (c: Context<AppEnv>, type: ContentType): Promise<string | undefined> =>
  type.kind === "singleType" ? operations.findSingleId(c.get("services").database, type) : documentIdOf(c);

/** In the format of version 4 a number in the path identifies a document, which has only one version. */
const inPlace =
  (write: WriteOld): Write =>
  async (c, type) => {
    if (type.kind === "singleType") return write(c, type, await subjectOf(c, type));
    const { documentId, where } = await named(c, type);
    return write(c, type, documentId, where);
  };

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
  inPlace(updateOld),
);

/** DELETE of one document: 204, even if there was nothing to delete. */
export const remove = writing(async (c, type) => {
  await operations.remove(contextOf(c), type, documentIdOf(c), queryOf(c));
  return c.body(null, 204);
}, inPlace(removeOld));

/** PUT of a single type: creates it if it does not exist yet, also with 200. */
export const updateSingle = writing(
  async (c, type) => answerDone(c, await operations.updateSingle(contextOf(c), type, replacing(c))),
  inPlace(updateOld),
);

/** DELETE of a single type. */
export const removeSingle = writing(async (c, type) => {
  await operations.removeSingle(contextOf(c), type, queryOf(c));
  return c.body(null, 204);
}, inPlace(removeOld));

/** A handler for POST of an action on one document; answers 404 if there is none. */
const act = (action: typeof operations.publish) =>
  writing(async (c, type) => {
    const query = queryOf(c);
    const documentId = await subjectOf(c, type);
    return answerDone(c, documentId === undefined ? null : await action(contextOf(c), type, documentId, query));
  });

/** POST: publishes the draft, and answers with the published version. */
export const publish = act(operations.publish);
/** The same for a single type. */
export const publishSingle = publish;
/** POST: removes the published version, and answers with the draft. */
export const unpublish = act(operations.unpublish);
/** The same for a single type. */
export const unpublishSingle = unpublish;
/** POST: replaces the draft by the published version, and answers with it. */
export const discardDraft = act(operations.discardDraft);
/** The same for a single type. */
export const discardDraftSingle = discardDraft;

/** POST: sets when the draft is published and unpublished, and answers with the schedule. */
export const schedule = writing(async (c, type) => {
  const request = requestOf(c);
  const documentId = await subjectOf(c, type);
  const data = documentId === undefined ? null : await operations.schedule(contextOf(c), type, documentId, request);
  if (!data) throw new NotFoundError();
  return sendJson(c, JSON.stringify({ data, meta: {} }));
});

/** The same for a single type. */
export const scheduleSingle = schedule;
