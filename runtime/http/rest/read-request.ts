/**
 * What reading and writing routes need of a request. In the format of version 4 (`rest.format: "v4"`), ids and queries are
 * translated.
 */
import type { Context } from "hono";
import type { Caller } from "../../access/caller.ts";
import type { Config } from "../../config/config.ts";
import type { Client } from "../../database/database.ts";
import { findRowDocument } from "../../documents/operations/index.ts";
import { type Format, oldQuery, parseQuery, PlanSize, type RawQuery, type ReadContext } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { AppEnv } from "../context.ts";
import type { Services } from "../services.ts";

/** A read request. */
export interface ReadRequest {
  readonly services: Services;
  readonly caller: Caller;
  /** The query string, without the `?`. */
  readonly query: string;
  /** The documentId in the path; empty if the path has none. */
  readonly documentId: string;
  /** Query parameters that the route adds. */
  readonly added: RawQuery | undefined;
  /** The client that waits; undefined when a test calls the application without a server. */
  readonly client: Client | undefined;
  /** A request header, by its name in lower case. */
  header(name: string): string | undefined;
}

export const documentIdOf = (c: Context<AppEnv>): string => c.req.param("documentId") ?? "";

/** The part of a Hono context that the functions below need. */
interface Asked {
  readonly req: { readonly url: string };
}

/** The query string of a request, without the `?`. */
const queryOf = ({ req: { url } }: Asked): string => {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
};

/** The parsed query string. */
export const parsedQueryOf = (
  c: Asked & { readonly var: { readonly services: { readonly config: Config } } },
): RawQuery => parseQuery(queryOf(c), c.var.services.config.rest.arrayLimit);

/** The read request in a Hono context. */
export const readRequestOf = (c: Context<AppEnv>): ReadRequest => ({
  services: c.get("services"),
  caller: c.get("caller"),
  documentId: documentIdOf(c),
  query: queryOf(c),
  added: c.get("added"),
  client: c.get("client"),
  header: (name) => c.req.header(name),
});

/** The format to answer a request in: that of the configuration, unless a header of the request asks for another. */
export const formatOf = (request: Pick<ReadRequest, "services" | "header">): Format => {
  const asked = request.header("strapi-response-format");
  if (request.services.config.rest.format === "v4") return asked === "v5" ? "flat" : "old";
  return asked === "v4" ? "nested" : "flat";
};

export const isOld = (request: ReadRequest): boolean => formatOf(request) === "old";

/** Translates the query of a version 4 client into that of version 5. */
export const translated = ({ services }: ReadRequest, { uid }: ContentType, query: RawQuery): RawQuery => {
  const { queries, config } = services;
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
  request: ReadRequest,
  { session, services }: Pick<ReadContext, "session" | "services">,
  type: ContentType,
): Promise<Named> => {
  const { documentId } = request;
  const found =
    isOld(request) && NUMBER.test(documentId)
      ? await findRowDocument(session ?? services.database, type, Number(documentId))
      : undefined;
  if (found === undefined) return { documentId, where: {} };
  return { documentId: found.documentId, where: found.locale === null ? {} : { locale: found.locale } };
};
