/** Handlers of the writing routes. */
import type { Handler } from "hono";
import * as operations from "../../documents/operations/index.ts";
import type { ContentType, DocumentFields } from "../../schema/content-type.ts";
import type { AppEnv } from "../context.ts";
import { documentIdOf, readRequestOf } from "./read-request.ts";
import { isOld } from "./version-four.ts";
import { createOld, removeOld, removeSingleOld, updateOld, updateSingleOld } from "./write-old.ts";
import { answerDone, dataOf, queryOf, writeContext } from "./write-request.ts";

/** POST of a collection: 201 with the new document. */
export const create =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) => {
    if (isOld(readRequestOf(c))) return createOld(c, type);
    return answerDone(c, await operations.create(writeContext(c), type, { data: dataOf(c), query: queryOf(c) }), 201);
  };

/** PUT of one document. */
export const update =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) => {
    if (isOld(readRequestOf(c))) return updateOld(c, type);
    const request = { data: dataOf(c), query: queryOf(c) };
    return answerDone(c, await operations.update(writeContext(c), type, documentIdOf(c), request));
  };

/** DELETE of one document: 204, also when there was nothing to delete. */
export const remove =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) => {
    if (isOld(readRequestOf(c))) return removeOld(c, type);
    await operations.remove(writeContext(c), type, documentIdOf(c), queryOf(c));
    return c.body(null, 204);
  };

/** PUT of a single type: creates it when it is not there yet, with 200 too. */
export const updateSingle =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) => {
    if (isOld(readRequestOf(c))) return updateSingleOld(c, type);
    return answerDone(c, await operations.updateSingle(writeContext(c), type, { data: dataOf(c), query: queryOf(c) }));
  };

/** DELETE of a single type. */
export const removeSingle =
  <Document extends DocumentFields>(type: ContentType<Document>): Handler<AppEnv> =>
  async (c) => {
    if (isOld(readRequestOf(c))) return removeSingleOld(c, type);
    await operations.removeSingle(writeContext(c), type, queryOf(c));
    return c.body(null, 204);
  };

type Action = typeof operations.publish;
type SingleAction = typeof operations.publishSingle;

/** A handler for POST of an action on one document; answers 404 when there is none. */
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
/** POST: removes the published version, and answers with the draft. */
export const unpublish = act(operations.unpublish);
/** The same for a single type. */
export const unpublishSingle = actSingle(operations.unpublishSingle);
/** POST: replaces the draft by the published version, and answers with it. */
export const discardDraft = act(operations.discardDraft);
/** The same for a single type. */
export const discardDraftSingle = actSingle(operations.discardDraftSingle);
