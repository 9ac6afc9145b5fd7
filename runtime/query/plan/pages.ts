/** Statements that read a page of a list: which rows match, in which order, and which of them to show. */
import { eq, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import type { Shape } from "../query.ts";
import { compile, compileLater, input, type Statement } from "../sql/compile.ts";
import { ascending, partsAfter, partsOfAll, inOrder, type JoinedKey, type OrderJoin } from "../sql/order.ts";
import type { RowScope } from "../sql/scope.ts";
import type { Plan, WalkPlan } from "./plan.ts";
import type { Selection } from "./planner.ts";

/** A list of rows of one type. */
export interface Listing {
  readonly scope: RowScope;
  readonly selection: Selection;
  readonly where: SQL | undefined;
  /** The joins that the sort keys need. */
  readonly joins: readonly OrderJoin[];
  /** The sort keys without the id. */
  readonly keys: readonly JoinedKey[];
  /** Whether PostgreSQL estimates the statements before they run. */
  readonly isEstimated: boolean;
  /** Whether an index finds the rows by the words of a full-text search, or by their entries. */
  readonly isSearched: boolean;
}

const ID = sql.identifier("id");

/** The placeholders for the window of a page. */
export const limit = sql.placeholder("limit");
export const offset = sql.placeholder("offset");

const keyName = (index: number) => sql.identifier(`k${index}`);

export const commaSeparated = (parts: readonly SQLWrapper[]): SQL => sql.join([...parts], sql`, `);

/** The selected expressions, in the order of their indexes, followed by `others`. */
export const selected = ({ fields }: Selection, others: readonly SQL[] = []): SQL =>
  commaSeparated([...Object.values(fields).map((field) => sql`${field}`), ...others]);

export const whereOf = (...conditions: readonly (SQL | undefined)[]): SQL => {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? sql`` : sql` where ${sql.join(present, sql` and `)}`;
};

/** The id and the values of the sort keys, as `id`, `k0`, `k1`, ... */
export const keyColumns = ({ scope, keys }: Pick<Listing, "scope" | "keys">): SQL =>
  commaSeparated([sql`${scope.id} as ${ID}`, ...keys.map(({ value }, index) => sql`${value} as ${keyName(index)}`)]);

/** The order by {@link keyColumns} of `table`. */
export const keyOrder = ({ keys }: Listing, table: string): SQL => {
  const of = sql.identifier(table);
  return commaSeparated([
    ...keys.map(({ direction }, index) => inOrder({ value: sql`${of}.${keyName(index)}`, direction })),
    sql`${of}.${ID}`,
  ]);
};

/**
 * The order by expressions in the statement that selects {@link keyColumns}. Those of a list whose rows an
 * index finds by their content are hidden in queries: PostgreSQL does not know how few rows match, and would otherwise
 * match the content of one row after another in this order.
 */
export const valueOrder = ({ scope, keys, isSearched }: Listing): SQL =>
  commaSeparated(
    [...keys, ascending(scope.id)].map(({ value, direction }) =>
      inOrder({ value: isSearched ? sql`(select ${value})` : value, direction }),
    ),
  );

const WINDOW = sql`limit ${limit} offset ${offset}`;
/** The number of rows up to the end of the page. */
const REACHED = sql`(${limit}::bigint + ${offset}::bigint)`;

const tablesOf = ({ scope, joins }: Pick<Listing, "scope" | "joins">): SQL =>
  sql`${scope.from}${sql.join(joins.map(({ target, on }) => sql` left join ${target.from} on ${on}`))}`;

/** Reads the rows of a list in its order; `others` are selected in addition. */
const rowsIn = (listing: Listing, window: SQL, condition?: SQL, others?: readonly SQL[]): SQL =>
  sql`select ${selected(listing.selection, others)} from ${tablesOf(listing)}${whereOf(condition, listing.where)} order by ${valueOrder(listing)} ${window}`;

/** Reads a page of any list. */
export const page = (listing: Listing): Statement => compileLater(listing.isEstimated, () => rowsIn(listing, WINDOW));

/** Reads one document. */
export const oneOf = (listing: Listing): Statement =>
  compileLater(listing.isEstimated, () =>
    rowsIn(listing, sql`limit ${limit}`, eq(listing.scope.documentId, input("documentId"))),
  );

/**
 * Reads the page of a list sorted by id. The limits are hidden from PostgreSQL's planner: it would otherwise find the
 * plan for this page cheaper than a generic one, and plan each request anew. The ids come from an index alone, so no
 * row before the page is read.
 */
export const pageById = ({ scope: { from, id }, selection, where }: Listing): Statement =>
  compileLater(false, () => {
    const window = sql`limit (select ${limit}::bigint) offset (select ${offset}::bigint)`;
    const ids = sql`select ${id} from ${from}${whereOf(where)} order by ${id} ${window}`;
    return sql`select ${selected(selection)} from ${from} where ${id} = any(array(${ids})) order by ${id}`;
  });

/** Selects the id and the sort keys of the rows that match and meet the conditions. */
export const matching = (
  listing: Pick<Listing, "scope" | "joins" | "keys" | "where">,
  ...conditions: readonly (SQL | undefined)[]
): SQL => sql`select ${keyColumns(listing)} from ${tablesOf(listing)}${whereOf(listing.where, ...conditions)}`;

/** Reads the rows of a page whose keys `found` selects; `others` are selected in addition. */
export const pageFrom = (listing: Listing, found: readonly SQL[], window: SQL, others?: readonly SQL[]): SQL => {
  const { scope, selection } = listing;
  const all = sql.join([...found], sql` union all `);
  const chosen = sql`select * from (${all}) as found order by ${keyOrder(listing, "found")} ${window}`;
  return sql`select ${selected(selection, others)} from (${chosen}) as chosen join ${scope.from} on ${scope.id} = chosen.id order by ${keyOrder(listing, "chosen")}`;
};

/** How far a page reaches, and which part of it to show. */
interface Extent {
  readonly reached: SQL | typeof limit;
  readonly window: SQL;
}

/**
 * Reads a list part by part, until the page is full: the rows of each part precede those of the next. Before it begins
 * a part, PostgreSQL checks whether the page is full.
 *
 * @param conditions those that divide the rows into parts
 */
const inParts = (
  listing: Listing,
  conditions: readonly (SQL | undefined)[],
  { reached, window }: Extent,
  others?: readonly SQL[],
): SQL => {
  const names = conditions.map((_, index) => sql.raw(`p${index}`));
  const parts = conditions.map((condition, index) => {
    const counts = names.slice(0, index).map((name) => sql`(select count(*) from ${name})`);
    const hasRoom = index === 0 ? undefined : sql`${sql.join(counts, sql` + `)} < ${reached}`;
    return sql`${names[index]} as (${matching(listing, condition, hasRoom)} order by ${valueOrder(listing)} limit ${reached})`;
  });
  const found = names.map((name) => sql`select * from ${name}`);
  return sql`with ${commaSeparated(parts)} ${pageFrom(listing, found, window, others)}`;
};

/**
 * Reads the page of a list sorted by a related row's scalar first: finds rows with such a value separately from rows
 * without one. PostgreSQL can then follow an index of the related table, and stop at the end of the page. Returns
 * undefined for other orders.
 */
export const pageApart = (listing: Listing): Statement | undefined => {
  const [first, ...others] = listing.keys;
  if (first?.scalar === undefined || first.joins.length === 0) return undefined;
  if (others.some(({ joins }) => joins.some((join) => first.joins.includes(join)))) return undefined;
  return compileLater(listing.isEstimated, () =>
    inParts(listing, partsOfAll(listing.keys), { reached: REACHED, window: WINDOW }),
  );
};

const asText = (value: SQL): SQL => sql`(${value})::text`;

/** The statement that reads a page of a list with cursors, and what is known of its columns. */
export const planWalk = (
  listing: Listing,
  shape: Shape,
): (Pick<Plan, "page"> & { readonly walk: WalkPlan }) | undefined => {
  if (shape.walk === undefined) return undefined;
  const { scope, keys, joins, selection, isEstimated } = listing;
  const { from } = shape.walk;
  const conditions = from === "beginning" ? partsOfAll(keys) : partsAfter(scope, shape, keys);
  const values = keys.map(({ value }) => asText(value));
  const window = sql`limit ${limit}`;
  const query =
    conditions.length === 1 && joins.length === 0
      ? rowsIn(listing, window, conditions[0], values)
      : inParts(
          listing,
          conditions,
          { reached: limit, window },
          keys.map((_, index) => asText(sql.raw(`chosen.k${index}`))),
        );
  // The current sort values of the entry after which the page begins.
  const current = sql`select ${commaSeparated(values)} from ${tablesOf(listing)} where ${scope.id} = ${input("anchor")}`;
  return {
    page: compile(query, isEstimated),
    walk: {
      firstValue: Object.keys(selection.fields).length,
      values: from.includes("digest") ? compile(current) : undefined,
    },
  };
};
