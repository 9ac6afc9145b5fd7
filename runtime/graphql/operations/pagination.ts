/** The pagination of lists: in arguments, and in responses. */
import type { GraphQLResolveInfo } from "graphql";
import { isRecord } from "../../base/is-record.ts";
import type { Pagination } from "../../query/index.ts";
import { type Place, subfields } from "./subfields.ts";

/** The requested pagination. As GraphQL clients expect, a null cursor means none. */
export const paginationOf = (raw: unknown): unknown =>
  isRecord(raw) && raw["after"] === null ? { ...raw, after: undefined } : raw;

/** Whether a selection of page facts, or of the `meta` around them, needs the total count. */
export const selectsTotal = (info: GraphQLResolveInfo, places: readonly Pick<Place, "type" | "nodes">[]): boolean =>
  places.some((place) =>
    subfields(info, place.type, place.nodes).some(({ name, types: [type], nodes }) =>
      type === undefined ? name === "total" || name === "pageCount" : selectsTotal(info, [{ type, nodes }]),
    ),
  );

/** Counts a list that is read with cursors only if the client asks for the total. */
export const withTotal = (pagination: unknown, isAsked: () => boolean): unknown =>
  isRecord(pagination) && pagination["after"] !== undefined ? { ...pagination, withCount: isAsked() } : pagination;

/**
 * Both formats answer with page numbers, however the client asked for the page. A page read with a cursor has no number
 * and reports 0.
 */
export const pageFacts = ({ start, limit, page, pageSize, total = 0, after }: Pagination) => {
  const size = pageSize ?? limit ?? 1;
  return {
    total,
    page: after === undefined ? (page ?? Math.floor((start ?? 0) / size) + 1) : 0,
    pageSize: size,
    pageCount: Math.ceil(total / size),
    after: after ?? null,
  };
};
