/**
 * What handlers take from a request, and how they answer with a document. In the format of version 4 (`rest.format:
 * "v4"`), this translates ids, queries and answers.
 */
import type { Context } from "hono";
import { NotFoundError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { Reader } from "../../database/database.ts";
import { findRowDocument, type WantedSchedule } from "../../documents/operations/index.ts";
import { shown } from "../../documents/read-hooks.ts";
import {
  type AnswerSize,
  type Format,
  jsonOf,
  oldQuery,
  parseQuery,
  PlanSize,
  type RawQuery,
  type RowSet,
} from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { AppEnv } from "../context.ts";
import { sendJson } from "../frame/answer.ts";
import { withAdded } from "./added-query.ts";

/** The documentId in the path; empty if the path has none. */
export const documentIdOf = (c: Context<AppEnv>): string => c.req.param("documentId") ?? "";

/** The part of a Hono context that the functions below need. */
interface Asked {
  readonly req: { readonly url: string };
}

/** The query string of a request, without the `?`. */
export const queryStringOf = ({ req: { url } }: Asked): string => {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
};

/** The parsed query string. */
export const parsedQueryOf = (
  c: Asked & { readonly var: { readonly services: { readonly config: Config } } },
): RawQuery => parseQuery(queryStringOf(c), c.var.services.config.rest.arrayLimit);

/** The parsed query string, with the parameters that the route adds. */
export const queryOf = (c: Context<AppEnv>): RawQuery => {
  const added = c.get("added");
  const query = parsedQueryOf(c);
  return added ? withAdded(query, added) : query;
};

/** The context for reads and writes through the primary database. */
export const contextOf = (c: Context<AppEnv>) => ({ services: c.get("services"), caller: c.get("caller") });

/** The format of the response: that of the configuration, unless a header of the request asks for another. */
export const formatOf = (c: Context<AppEnv>): Format => {
  const asked = c.req.header("strapi-response-format");
  if (c.get("services").config.rest.format === "v4") return asked === "v5" ? "flat" : "old";
  return asked === "v4" ? "nested" : "flat";
};

export const isOld = (c: Context<AppEnv>): boolean => formatOf(c) === "old";

/** Translates the query of a version 4 client into that of version 5. */
export const translated = (c: Context<AppEnv>, { uid }: ContentType, query: RawQuery): RawQuery => {
  const { queries, config } = c.get("services");
  return oldQuery({ schema: queries.schema, size: PlanSize.ofBreadth(config.rest.planSize) }, uid, query);
};

/** The document that a path names, and the query parameters that follow from it. */
export interface Named {
  readonly documentId: string;
  /** The document's `locale`, if the path has the number of a row. */
  readonly where: RawQuery;
}

const NUMBER = /^\d{1,10}$/;

/**
 * Finds the document for the number that a version 4 client puts into the path: it stands for a document in one locale.
 */
export const named = async (
  c: Context<AppEnv>,
  type: ContentType,
  session: Reader = c.get("services").database,
): Promise<Named> => {
  const documentId = documentIdOf(c);
  const isNumber = isOld(c) && NUMBER.test(documentId);
  const found = isNumber ? await findRowDocument(session, type, Number(documentId)) : undefined;
  if (found === undefined) return { documentId, where: {} };
  return { documentId: found.documentId, where: found.locale === null ? {} : { locale: found.locale } };
};

/** The `meta` of a response with a document: its schedule, if there is or was one. */
export const metaOf = async (
  context: ReturnType<typeof contextOf>,
  type: ContentType,
  wanted: WantedSchedule,
): Promise<object> => {
  if (!type.schedule) return {};
  const schedule = await context.services.schedules?.find(context, type, wanted);
  return schedule ? { schedule } : {};
};

/**
 * The JSON envelope of a document; throws 404 if it is null.
 *
 * @param size undefined for a document that was just written: an error after the write was stored would be misleading
 */
export const envelope = async (
  c: Context<AppEnv>,
  document: RowSet | null,
  meta: object,
  size?: AnswerSize,
): Promise<string> => {
  if (document === null) throw new NotFoundError();
  const context = contextOf(c);
  const visible = context.services.readHooks ? await shown(context, document) : document;
  const data = jsonOf(visible, { format: formatOf(c), ...(size ? { size } : {}) });
  return `{"data":${data},"meta":${JSON.stringify(meta)}}`;
};

/** Answers with the envelope of a document that was just written; throws 404 if it is null. */
export const answerDocument = async (
  c: Context<AppEnv>,
  document: RowSet | null,
  status: 200 | 201 = 200,
  meta: object = {},
): Promise<Response> => sendJson(c, await envelope(c, document, meta), status);
