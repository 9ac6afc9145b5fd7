/** Writing in the format of version 4: a number identifies a document, which has only one version. */
import type { Context } from "hono";
import { NotFoundError } from "../../base/errors.ts";
import * as operations from "../../documents/operations/index.ts";
import type { RawQuery } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { contextOf, named, translated } from "./read-request.ts";
import { answerDocument } from "./read.ts";
import { answerDone, copyFromOf, dataOf, expectedOf, queryOf } from "./write-request.ts";

/**
 * The write operation for a request. `locale` may be in the body; {@link operations.wishedStatus} determines the
 * status.
 */
const requestOf = (c: Context<AppEnv>, type: ContentType, where: RawQuery = {}): operations.OperationRequest => {
  const data = dataOf(c);
  const { status: _status, ...query } = translated(c, type, queryOf(c));
  const inBody = typeof data["locale"] === "string" ? { locale: data["locale"] } : {};
  return { data, query: { ...query, ...inBody, ...where }, copyFrom: copyFromOf(c) };
};

/** POST of a collection: 200 with the new document, which is published unless `publishedAt` is null. */
export const createOld = async (c: Context<AppEnv>, type: ContentType): Promise<Response> => {
  const request = requestOf(c, type);
  const status = operations.wishedStatus(request.data) ?? "published";
  const query = { ...request.query, status };
  return answerDone(c, await operations.create(contextOf(c), type, { ...request, query }));
};

/** PUT of one document. It stays a draft or published, unless `publishedAt` says otherwise. */
export const updateOld = async (c: Context<AppEnv>, type: ContentType): Promise<Response> => {
  const { documentId, where } = await named(c, type);
  const request = { ...requestOf(c, type, where), expected: expectedOf(c) };
  const options = { wished: operations.wishedStatus(request.data), absent: "published" } as const;
  return answerDone(c, await operations.updateInPlace(contextOf(c), type, documentId, request, options));
};

const answerRemoved = async (
  c: Context<AppEnv>,
  type: ContentType,
  documentId: string | undefined,
  where: RawQuery = {},
): Promise<Response> => {
  if (documentId === undefined) throw new NotFoundError();
  const context = contextOf(c);
  const { fields, populate, locale } = { ...translated(c, type, queryOf(c)), ...where };
  const removed = await operations.removeInPlace(context, type, documentId, locale, { fields, populate });
  if (removed === undefined) throw new NotFoundError();
  if (removed.seen === null) return sendJson(c, '{"data":null,"meta":{}}');
  return answerDocument(c, removed.seen);
};

/** DELETE of one document in one locale: 200 with the document as it was. */
export const removeOld = async (c: Context<AppEnv>, type: ContentType): Promise<Response> => {
  const { documentId, where } = await named(c, type);
  return answerRemoved(c, type, documentId, where);
};

/** PUT of a single type. */
export const updateSingleOld = async (c: Context<AppEnv>, type: ContentType): Promise<Response> => {
  const context = contextOf(c);
  const request = { ...requestOf(c, type), expected: expectedOf(c) };
  const documentId = await operations.findSingleId(context.services.database, type);
  const wished = operations.wishedStatus(request.data);
  if (documentId !== undefined) {
    const options = { wished, absent: "published" } as const;
    return answerDone(c, await operations.updateInPlace(context, type, documentId, request, options));
  }
  const query = { ...request.query, status: wished ?? "published" };
  return answerDone(c, await operations.updateSingle(context, type, { ...request, query }));
};

/** DELETE of a single type in one locale. */
export const removeSingleOld = async (c: Context<AppEnv>, type: ContentType): Promise<Response> =>
  answerRemoved(c, type, await operations.findSingleId(c.get("services").database, type));
