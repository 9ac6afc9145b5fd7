/** The pagination of lists: what is asked for, and what answers say of it. */
import type { GraphQLResolveInfo } from "graphql";
import { isRecord } from "../../base/is-record.ts";
import type { Pagination } from "../../query/index.ts";
import { type Place, subfields } from "./subfields.ts";

/** What a list is asked for. As clients of GraphQL expect, null stands for no cursor. */
export const paginationOf = (raw: unknown): unknown =>
  isRecord(raw) && raw["after"] === null ? { ...raw, after: undefined } : raw;

/** Whether a selection of page facts, or of the `meta` around them, needs the total. */
export const selectsTotal = (info: GraphQLResolveInfo, places: readonly Pick<Place, "type" | "nodes">[]): boolean =>
  places.some((place) =>
    subfields(info, place.type, place.nodes).some(({ name, types: [type], nodes }) =>
      type === undefined ? name === "total" || name === "pageCount" : selectsTotal(info, [{ type, nodes }]),
    ),
  );

/** Counts a list that is read with cursors only if its total is asked for. */
export const withTotal = (pagination: unknown, isAsked: () => boolean): unknown =>
  isRecord(pagination) && pagination["after"] !== undefined ? { ...pagination, withCount: isAsked() } : pagination;

/**
 * Both schemas count in pages, however the page was asked for. Pages that are read with cursors have no number: it is
 * given as 0.
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
