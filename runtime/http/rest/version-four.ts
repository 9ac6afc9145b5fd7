/** What `rest.format: "v4"` changes: which format a request is answered in, and what it asks for. */
import { rowPlace } from "../../documents/row-place.ts";
import { type Format, oldQuery, PlanSize, type RawQuery, type ReadContext } from "../../query/index.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { ReadRequest } from "./read-request.ts";

/** The format that a request is answered in: by the configuration, unless its header asks for another. */
export const formatOf = (request: Pick<ReadRequest, "services" | "header">): Format => {
  const asked = request.header("strapi-response-format");
  if (request.services.config.rest.format === "v4") return asked === "v5" ? "flat" : "old";
  return asked === "v4" ? "nested" : "flat";
};

export const isOld = (request: ReadRequest): boolean => formatOf(request) === "old";

/** The query of a client of version 4 in the words of version 5. */
export const translated = ({ services }: ReadRequest, { uid }: ContentType, query: RawQuery): RawQuery => {
  const { registry, config } = services;
  return oldQuery({ registry, size: PlanSize.ofBreadth(config.rest.planSize) }, uid, query);
};

/** The document that an address names, and what else it says. */
export interface Named {
  readonly documentId: string;
  /** `locale`, where the address is the number of a row. */
  readonly where: RawQuery;
}

const NUMBER = /^\d{1,10}$/;

/** Clients of version 4 name documents by numbers: those stand for a document in one locale. */
export const named = async (
  request: ReadRequest,
  { session, services }: Pick<ReadContext, "session" | "services">,
  type: ContentType,
): Promise<Named> => {
  const { documentId } = request;
  const place =
    isOld(request) && NUMBER.test(documentId)
      ? await rowPlace(session ?? services.database, type, Number(documentId))
      : undefined;
  if (place === undefined) return { documentId, where: {} };
  return { documentId: place.documentId, where: place.locale === null ? {} : { locale: place.locale } };
};
