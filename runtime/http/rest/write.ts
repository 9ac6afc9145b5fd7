/** Handlers of the writing routes. */
import type { Context, Handler } from "hono";
import { ValidationError } from "../../base/errors.ts";
import { isRecord } from "../../base/is-record.ts";
import * as operations from "../../documents/operations/index.ts";
import type { RawQuery } from "../../query/index.ts";
import type { ContentType, DocumentFields } from "../../schema/content-type.ts";
import { validationError } from "../../schema/validation/check.ts";
import { valueText } from "../../schema/validation/print.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { answerDocument, documentIdOf, parsedQueryOf, readContext, withAdded } from "./read.ts";

/** Who writes, and what with. */
const writeContext = (c: Context<AppEnv>): operations.OperationContext => ({
  ...readContext(c),
  services: c.get("services"),
});

const queryOf = (c: Context<AppEnv>): RawQuery => withAdded(parsedQueryOf(c), c.get("added"));

/** The `data` of the body. */
const dataOf = (c: Context<AppEnv>): Readonly<Record<string, unknown>> => {
  const body = c.get("body");
  const data: unknown = isRecord(body) ? body["data"] : undefined;
  if (isRecord(data)) return data;
  if (!Array.isArray(data)) throw new ValidationError('Missing "data" payload in the request body');
  const message = `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${valueText(data)}\`).`;
  throw validationError([{ path: [], message, name: "ValidationError", value: null }]);
};

/** The envelope of what was written; of what the caller may not read, the documentId alone. 404 when there is none. */
const answerDone = async (
  c: Context<AppEnv>,
  done: operations.Done | null,
  status: 200 | 201 = 200,
): Promise<Response> => {
  if (done === null || done.shown) return answerDocument(c, done?.shown ?? null, status);
  return sendJson(c, `{"data":{"documentId":${JSON.stringify(done.documentId)}},"meta":{}}`, status);
};

/** POST of a collection: 201 with the new document. */
export const create =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) =>
    answerDone(c, await operations.create(writeContext(c), type, { data: dataOf(c), query: queryOf(c) }), 201);

/** PUT of one document. */
export const update =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) => {
    const request = { data: dataOf(c), query: queryOf(c) };
    return answerDone(c, await operations.update(writeContext(c), type, documentIdOf(c), request));
  };

/** DELETE of one document: 204, also when there was nothing to delete. */
export const remove =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) => {
    await operations.remove(writeContext(c), type, documentIdOf(c), queryOf(c));
    return c.body(null, 204);
  };

/** PUT of a single type: creates it when it is not there yet, with 200 too. */
export const updateSingle =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) =>
    answerDone(c, await operations.updateSingle(writeContext(c), type, { data: dataOf(c), query: queryOf(c) }));

/** DELETE of a single type. */
export const removeSingle =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) => {
    await operations.removeSingle(writeContext(c), type, queryOf(c));
    return c.body(null, 204);
  };

type Action = typeof operations.publish;
type SingleAction = typeof operations.publishSingle;

/** POST of an action on one document: 404 when there is none. */
const act =
  (action: Action) =>
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) =>
    answerDone(c, await action(writeContext(c), type, documentIdOf(c), queryOf(c)));

/** The same for the document of a single type. */
const actSingle =
  (action: SingleAction) =>
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) =>
    answerDone(c, await action(writeContext(c), type, queryOf(c)));

/** POST: publishes the draft, and answers with the published version. */
export const publish = act(operations.publish);
/** The same for a single type. */
export const publishSingle = actSingle(operations.publishSingle);
/** POST: takes the published version away, and answers with the draft. */
export const unpublish = act(operations.unpublish);
/** The same for a single type. */
export const unpublishSingle = actSingle(operations.unpublishSingle);
/** POST: makes the draft what is published, and answers with it. */
export const discardDraft = act(operations.discardDraft);
/** The same for a single type. */
export const discardDraftSingle = actSingle(operations.discardDraftSingle);
