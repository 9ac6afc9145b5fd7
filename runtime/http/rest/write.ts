/** Handlers of the writing routes. */
import type { Context, Handler } from "hono";
import { NotFoundError } from "../../base/errors.ts";
import type { Schedule } from "../../client/answers.ts";
import * as operations from "../../documents/operations/index.ts";
import type { ContentType, DocumentFields } from "../../schema/content-type.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { contextOf, documentIdOf, isOld } from "./read-request.ts";
import { createOld, removeOld, removeSingleOld, updateOld, updateSingleOld } from "./write-old.ts";
import { answerDone, copyFromOf, dataOf, expectedOf, queryOf } from "./write-request.ts";

type Write = (c: Context<AppEnv>, type: ContentType) => Promise<Response>;

/** A handler that calls another function for requests in the format of version 4. */
const writing =
  (write: Write, writeOld: Write) =>
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  (c) =>
    isOld(c) ? writeOld(c, type) : write(c, type);

const requestOf = (c: Context<AppEnv>): operations.OperationRequest => ({
  data: dataOf(c),
  query: queryOf(c),
  copyFrom: copyFromOf(c),
});

const replacing = (c: Context<AppEnv>): operations.OperationRequest => ({ ...requestOf(c), expected: expectedOf(c) });

/** POST of a collection: 201 with the new document. */
export const create = writing(
  async (c, type) => answerDone(c, await operations.create(contextOf(c), type, requestOf(c)), 201),
  createOld,
);

/** PUT of one document. */
export const update = writing(
  async (c, type) => answerDone(c, await operations.update(contextOf(c), type, documentIdOf(c), replacing(c))),
  updateOld,
);

/** DELETE of one document: 204, even if there was nothing to delete. */
export const remove = writing(async (c, type) => {
  await operations.remove(contextOf(c), type, documentIdOf(c), queryOf(c));
  return c.body(null, 204);
}, removeOld);

/** PUT of a single type: creates it if it does not exist yet, also with 200. */
export const updateSingle = writing(
  async (c, type) => answerDone(c, await operations.updateSingle(contextOf(c), type, replacing(c))),
  updateSingleOld,
);

/** DELETE of a single type. */
export const removeSingle = writing(async (c, type) => {
  await operations.removeSingle(contextOf(c), type, queryOf(c));
  return c.body(null, 204);
}, removeSingleOld);

type Action = typeof operations.publish;
type SingleAction = typeof operations.publishSingle;

/** A handler for POST of an action on one document; answers 404 if there is none. */
const act =
  (action: Action) =>
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) =>
    answerDone(c, await action(contextOf(c), type, documentIdOf(c), queryOf(c)));

/** The same for the document of a single type. */
const actSingle =
  (action: SingleAction) =>
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) =>
    answerDone(c, await action(contextOf(c), type, queryOf(c)));

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
export const schedule =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) =>
    answerSchedule(c, await operations.schedule(contextOf(c), type, documentIdOf(c), requestOf(c)));

/** The same for a single type. */
export const scheduleSingle =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) =>
    answerSchedule(c, await operations.scheduleSingle(contextOf(c), type, requestOf(c)));
