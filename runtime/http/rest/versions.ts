/** Handlers of the routes for stored versions of documents. */
import type { Context, Handler } from "hono";
import { NotFoundError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import * as operations from "../../documents/operations/index.ts";
import type { ContentType, DocumentFields } from "../../schema/content-type.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { requestServices } from "../frame/client.ts";
import { answerDocument, contextOf, documentIdOf, queryOf } from "./exchange.ts";
import { answerDone, dataOf } from "./write.ts";

type Answering = (c: Context<AppEnv>, type: ContentType, versions: operations.Versions) => Promise<Response>;

const handling =
  (answer: Answering) =>
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  (c) => {
    if (c.req.method !== "POST") c.set("services", requestServices(c));
    return answer(c, type, operations.versionsOf(c.get("services"), type));
  };

const NUMBER = /^\d{1,10}$/;

/** The version that the path names. */
const wantedOf = (c: Context<AppEnv>): operations.WantedVersion => {
  const version = c.req.param("version") ?? "";
  if (!NUMBER.test(version)) throw new NotFoundError();
  return { documentId: documentIdOf(c), version: Number(version) };
};

const answerData = (c: Context<AppEnv>, data: unknown, meta: object = {}): Response => {
  if (data === undefined) throw new NotFoundError();
  return sendJson(c, JSON.stringify({ data, meta }));
};

const answerList = (c: Context<AppEnv>, { versions, pagination }: operations.VersionList): Response =>
  answerData(c, versions, { pagination });

/** GET: the versions of a document, newest first. */
export const findVersions = handling(async (c, type, versions) =>
  answerList(c, await versions.list(contextOf(c), type, documentIdOf(c), queryOf(c))),
);

/** GET: the last versions of deleted documents. */
export const findDeleted = handling(async (c, type, versions) =>
  answerList(c, await versions.deleted(contextOf(c), type, queryOf(c))),
);

/** GET: a version, shown as the document that it was. */
export const findVersion = handling(async (c, type, versions) => {
  const found = await versions.find(contextOf(c), type, wantedOf(c), queryOf(c));
  return answerDocument(c, found?.document ?? null, 200, { version: found?.info, gone: found?.gone });
});

/** GET: the attributes that differ from another version, or from the current document. */
export const compareVersions = handling(async (c, type, versions) =>
  answerData(c, await versions.compare(contextOf(c), type, wantedOf(c), queryOf(c))),
);

/** POST: restores a version by writing it again, and answers with the result. */
export const restoreVersion = handling(async (c, type, versions) => {
  const body = c.get("body");
  const data = isRecord(body) && body["data"] !== undefined ? dataOf(c) : {};
  const request = { data, query: queryOf(c) };
  const restored = await versions.restore(contextOf(c), type, wantedOf(c), request);
  return answerDone(c, restored?.done ?? null, 200, { gone: restored?.gone });
});
