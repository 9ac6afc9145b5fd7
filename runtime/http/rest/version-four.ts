/** Requests in the format of version 4 (`rest.format: "v4"`): detects the format, and translates ids and queries. */
import { findRowDocument } from "../../documents/operations/index.ts";
import { type Format, oldQuery, PlanSize, type RawQuery, type ReadContext } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { ReadRequest } from "./read-request.ts";

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
