/**
 * What reading and writing routes need from a request. In the format of version 4 (`rest.format: "v4"`), this
 * translates ids and queries.
 */
import type { Context } from "hono";
import type { Config } from "../../config/config.ts";
import type { Reader } from "../../database/database.ts";
import { findRowDocument } from "../../documents/operations/index.ts";
import { type Format, oldQuery, parseQuery, PlanSize, type RawQuery } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { AppEnv } from "../context.ts";

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
