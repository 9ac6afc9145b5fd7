/**
 * Reads a page of a list that is filtered by relations only.
 *
 * PostgreSQL has to choose: either find all rows of the list from the related ones and sort them, or scan the list in
 * its order until the page is full. It cannot know which is cheaper when one name matches most rows and another only a
 * few, and the wrong choice reads the whole table. So the statement finds out while it runs.
 */
import { getTableName, type SQL, sql } from "drizzle-orm";
import { nameLiteral } from "../../database/name-literal.ts";
import { compileLater, type Statement } from "../sql/compile.ts";
import type { RelatedIds } from "../sql/related-ids.ts";
import {
  commaSeparated,
  keyColumns,
  limit,
  type Listing,
  offset,
  valueOrder,
  whereOf,
  matching,
  pageFrom,
} from "./pages.ts";

/** Rows are found from related ones if there are at most this many. */
const FEW = 500;
/** Selects just enough ids to tell whether there are more. */
export const SELECTED = sql.raw(String(FEW + 1));
/** The number of rows of the whole list to scan, if there are more. */
const AHEAD = 1000;

/**
 * The limits are hidden from PostgreSQL's planner: it would otherwise find the plan for this page cheaper than a
 * generic one, and plan this long statement for each request.
 */
const REQUESTED = sql`requested as materialized (select ${limit}::bigint as size, ${offset}::bigint as start)`;
const WINDOW = sql.raw("limit (select size from requested) offset (select start from requested)");
/** The number of rows up to the end of the page. */
const REACHED = sql.raw("(select size + start from requested)");

const tooMany = sql.raw(`(select count from counted) > ${FEW}`);

/** A list without its filter by relations. */
export interface RelatedListing extends Listing {
  /** The condition for status and locale. */
  readonly versions: SQL | undefined;
  /** For a list in one locale. */
  readonly locale: SQL | undefined;
}

/** @param related the relations; a row needs one of them */
export const relatedPage = (listing: RelatedListing, related: readonly RelatedIds[]): Statement =>
  compileLater(listing.isEstimated, () => pageOf(listing, related));

const pageOf = (listing: RelatedListing, related: readonly RelatedIds[]): SQL => {
  const ids = sql.join(
    related.map((each) => sql`(${each.ids})`),
    sql` union all `,
  );
  const ahead = aheadOf(listing, related);
  const isAhead = sql`(select count(*) from ahead) >= ${REACHED}`;
  const steps = [
    REQUESTED,
    sql`ids(id) as materialized (${ids})`,
    sql`counted as materialized (select count(*) as count from ids)`,
    sql`few as (${fewOf(listing)})`,
    ...(ahead ? [sql`ahead as materialized (${ahead})`] : []),
    sql`many as (${matching(listing, tooMany, ahead && sql`not ${isAhead}`)} order by ${valueOrder(listing)} limit ${REACHED})`,
  ];
  const found = [
    sql`select * from few`,
    ...(ahead ? [sql`select * from ahead where ${isAhead}`] : []),
    sql`select * from many`,
  ];
  return sql`with ${commaSeparated(steps)} ${pageFrom(listing, found, WINDOW)}`;
};

/**
 * The rows with the ids, if these are all. Looked up one by one: with a join, PostgreSQL may read the table instead.
 */
const fewOf = (listing: RelatedListing): SQL => {
  const { scope, versions } = listing;
  const known = sql`select distinct id from ids where not ${tooMany}`;
  const row = sql`${matching({ ...listing, where: versions }, sql`${scope.id} = known.id`)} limit 1`;
  return sql`select row.* from (${known}) as known cross join lateral (${row}) as row`;
};

/** The first rows in the order of the list that meet the filter; undefined if no index can supply the order. */
const aheadOf = (listing: RelatedListing, related: readonly RelatedIds[]): SQL | undefined => {
  const { scope, versions, keys } = listing;
  const [key, ...others] = keys;
  const column = key?.joins.length === 0 ? key.scalar?.column : undefined;
  if (others.length > 0 || (key !== undefined && column === undefined)) return undefined;
  const isById = column === undefined || column === scope.owner.type.table.id;
  const order = valueOrder(listing);
  const first = sql`select * from ${scope.from}${whereOf(isById ? undefined : listing.locale)} order by ${order} limit ${sql.raw(String(AHEAD))}`;
  const probes = sql`(${sql.join(
    related.map(({ probe }) => sql`(${probe})`),
    sql` or `,
  )})`;
  const hasIndex = isById ? undefined : indexed(listing, column.name);
  const alias = sql.identifier(scope.alias);
  return sql`select ${keyColumns(listing)} from (${first}) as ${alias}${whereOf(versions, probes, tooMany, hasIndex)} order by ${order} limit ${REACHED}`;
};

/**
 * Whether an index can supply the order by the column and the id. Without one, finding the first rows means sorting
 * all.
 */
const indexed = ({ scope, locale }: RelatedListing, column: string): SQL => {
  const names = [...(locale ? ["locale"] : []), column, "id"].map(nameLiteral);
  const attributes = names.map(
    (name, index) =>
      sql`exists (select from pg_attribute where attrelid = indrelid and attnum = indkey[${sql.raw(String(index))}] and attname = ${name})`,
  );
  const conditions = sql.join(attributes, sql` and `);
  const table = sql`to_regclass(quote_ident(${nameLiteral(getTableName(scope.owner.type.table))}))`;
  return sql`exists (select from pg_index where indrelid = ${table} and indisvalid and indpred is null and ${conditions})`;
};
