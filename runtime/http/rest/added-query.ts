/** Adds the parameters to a query that the project's route adds. */
import { isRecord } from "../../base/is-record.ts";
import { addedFilters, limited } from "../../documents/read-hooks.ts";
import type { RawQuery } from "../../query/index.ts";

/** The parameters of the two kinds of pages, which one query may not mix. */
const PAGE_KINDS = [
  ["page", "pageSize"],
  ["start", "limit"],
];

/** The parameters that say where a page begins; a query has at most one of them. */
const POSITIONS = ["page", "start", "after"];

/** The page that the client asks for. Takes the page size that a route adds, unless that is of the other kind. */
const pageOf = (wanted: unknown, added: unknown): unknown => {
  if (!isRecord(wanted) || !isRecord(added)) return wanted ?? added;
  const others = PAGE_KINDS.flatMap((kind) => (kind.some((name) => Object.hasOwn(wanted, name)) ? [] : kind));
  const hasKind = others.length < PAGE_KINDS.flat().length;
  const isPlaced = POSITIONS.some((name) => Object.hasOwn(wanted, name));
  const left = new Set([...(hasKind ? others : []), ...(isPlaced ? POSITIONS : [])]);
  return { ...Object.fromEntries(Object.entries(added).filter(([name]) => !left.has(name))), ...wanted };
};

/** The query of the client, completed by the added parameters where the client gives none. */
export const withAdded = (query: RawQuery, added: RawQuery): RawQuery => {
  const { filters: _filters, ...rest } = added;
  const pagination = pageOf(query["pagination"], added["pagination"]);
  return limited({ ...rest, ...query, ...(pagination === undefined ? {} : { pagination }) }, addedFilters(added));
};
