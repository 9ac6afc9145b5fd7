/** Statements that read a page of a list: which rows match, in which order, and which of them to show. */
import { type SQL, sql, eq } from "drizzle-orm";
import { compileLater, input, type Statement } from "../sql/compile.ts";
import { type JoinedKey, type OrderJoin, inOrder, type OrderKey } from "../sql/order.ts";
import { type RowScope, systemColumn, sqlType } from "../sql/scope.ts";
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
  /** Whether PostgreSQL estimates its statements before they run. */
  readonly isEstimated: boolean;
}

const ID = sql.identifier("id");

/** The placeholders for the window of a page. */
export const limit = sql.placeholder("limit");
export const offset = sql.placeholder("offset");

const keyName = (index: number) => sql.identifier(`k${index}`);

export const commaSeparated = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);

/** The selected expressions, in the order of their indexes, followed by `others`. */
export const selected = ({ fields }: Selection, others: readonly SQL[] = []): SQL =>
  commaSeparated([...Object.values(fields).map((field) => sql`${field}`), ...others]);

export const aliasedTable = ({ owner, alias }: RowScope): SQL => sql`${owner.type.table} ${sql.identifier(alias)}`;

export const idOf = (scope: RowScope): SQL => sql`${systemColumn(scope, "id")}`;

export const joinsOf = (kind: "join" | "left join", joins: readonly OrderJoin[]): SQL =>
  sql.join(joins.map(({ target, on }) => sql` ${sql.raw(kind)} ${aliasedTable(target)} on ${on}`));

export const whereOf = (...conditions: readonly (SQL | undefined)[]): SQL => {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? sql`` : sql` where ${sql.join(present, sql` and `)}`;
};

/** The id and the values of the sort keys, as `id`, `k0`, `k1`, ... */
export const keyColumns = ({ scope, keys }: { scope: RowScope; keys: readonly Pick<OrderKey, "value">[] }): SQL =>
  commaSeparated([sql`${idOf(scope)} as ${ID}`, ...keys.map(({ value }, index) => sql`${value} as ${keyName(index)}`)]);

/** The order by {@link keyColumns} of `table`. */
export const keyOrder = ({ keys }: Listing, table: string): SQL => {
  const of = sql.identifier(table);
  return commaSeparated([
    ...keys.map(({ direction }, index) => inOrder({ value: sql`${of}.${keyName(index)}`, direction })),
    sql`${of}.${ID}`,
  ]);
};

/** The order by expressions in the statement that selects {@link keyColumns}. */
export const valueOrder = ({ scope, keys }: Pick<Listing, "scope" | "keys">): SQL =>
  commaSeparated([...keys.map(inOrder), idOf(scope)]);

const WINDOW = sql`limit ${limit} offset ${offset}`;
/** The number of rows up to the end of the page. */
const REACHED = sql`(${limit}::bigint + ${offset}::bigint)`;

/** Reads the rows of a list in its order. */
const rowsIn = (listing: Listing, window: SQL, condition?: SQL): SQL => {
  const { scope, selection, joins, where } = listing;
  const from = sql`${aliasedTable(scope)}${joinsOf("left join", joins)}`;
  return sql`select ${selected(selection)} from ${from}${whereOf(condition, where)} order by ${valueOrder(listing)} ${window}`;
};

/** Reads a page of any list. */
export const page = (listing: Listing): Statement => compileLater(listing.isEstimated, () => rowsIn(listing, WINDOW));

/** Reads one document. */
export const oneOf = (listing: Listing): Statement =>
  compileLater(listing.isEstimated, () =>
    rowsIn(listing, sql`limit ${limit}`, eq(systemColumn(listing.scope, "documentId"), input("documentId"))),
  );

/**
 * Reads the page of a list that is in the order of ids. The limits are hidden from PostgreSQL while it plans: it would
 * otherwise find that a plan for one page is cheaper than one for all, and plan each request anew. The ids come from an
 * index alone, so that no row before the page is read.
 */
export const pageById = ({ scope, selection, where }: Listing): Statement =>
  compileLater(false, () => {
    const [table, id] = [aliasedTable(scope), idOf(scope)];
    const window = sql`limit (select ${limit}::bigint) offset (select ${offset}::bigint)`;
    const ids = sql`select ${id} from ${table}${whereOf(where)} order by ${id} ${window}`;
    return sql`select ${selected(selection)} from ${table} where ${id} = any(array(${ids})) order by ${id}`;
  });

/** Selects the id and the sort keys of the rows that match, and meet the conditions. */
export const matching = (listing: Listing, ...conditions: readonly (SQL | undefined)[]): SQL => {
  const { scope, joins, where } = listing;
  const from = sql`${aliasedTable(scope)}${joinsOf("left join", joins)}`;
  return sql`select ${keyColumns(listing)} from ${from}${whereOf(where, ...conditions)}`;
};

/** Reads the rows that `chosen` selects by id, in its order. */
export const rowsOf = (listing: Listing, chosen: SQL, part?: SQL): SQL => {
  const { scope, selection } = listing;
  const columns = selected(selection);
  const order = part === undefined ? keyOrder(listing, "chosen") : sql`${part}, ${keyOrder(listing, "chosen")}`;
  return sql`select ${columns} from (${chosen}) as chosen join ${aliasedTable(scope)} on ${idOf(scope)} = chosen.id order by ${order}`;
};

/**
 * Reads the page of a list that is sorted by a related row's scalar first: finds rows with such a value and rows without
 * one apart. PostgreSQL can then follow an index of the related table, and stop at the end of the page. Returns undefined
 * for other orders.
 */
export const pageApart = (listing: Listing): Statement | undefined => {
  const [first, ...others] = listing.keys;
  if (first?.scalar === undefined || first.joins.length === 0) return undefined;
  if (others.some(({ joins }) => joins.some((join) => first.joins.includes(join)))) return undefined;
  const type = sqlType(first.scalar.type);
  return compileLater(listing.isEstimated, () => {
    const parts = [withValue(listing, first), withoutValue(listing, first, type)];
    // Null is the largest value.
    const [one, other] = first.descending ? parts.toReversed() : parts;
    const rest = sql`greatest(0, ${REACHED} - (select count(*) from one))`;
    const found = sql`select 1 as part, * from one union all select 2 as part, * from other`;
    const chosen = sql`select * from (${found}) as found order by part, ${keyOrder(listing, "found")} ${WINDOW}`;
    const rows = rowsOf(listing, chosen, sql`chosen.part`);
    return sql`with one as (${one} limit ${REACHED}), other as (${other} limit ${rest}) ${rows}`;
  });
};

/** The rows that have a value to sort by, in order. */
const withValue = (listing: Listing, { joins, value }: JoinedKey): SQL => {
  const { scope, where } = listing;
  const others = listing.joins.filter((join) => !joins.includes(join));
  const tables = sql`${aliasedTable(scope)}${joinsOf("join", joins)}${joinsOf("left join", others)}`;
  const conditions = whereOf(where, sql`${value} is not null`);
  return sql`select ${keyColumns(listing)} from ${tables}${conditions} order by ${valueOrder(listing)}`;
};

/** The rows that have none, in the order of the other keys. */
const withoutValue = (listing: Listing, { joins, value }: JoinedKey, type: SQL): SQL => {
  const { scope, where, keys } = listing;
  const others = listing.joins.filter((join) => !joins.includes(join));
  const [start, ...steps] = joins;
  if (start === undefined) throw new Error("A value of another row without a join");
  const from = sql`${aliasedTable(start.target)}${joinsOf("join", steps)}`;
  const missing = sql`not exists (select 1 from ${from}${whereOf(start.on, sql`${value} is not null`)})`;
  const tables = sql`${aliasedTable(scope)}${joinsOf("left join", others)}`;
  const columns = keyColumns({ scope, keys: [{ value: sql`null::${type}` }, ...keys.slice(1)] });
  return sql`select ${columns} from ${tables}${whereOf(where, missing)} order by ${valueOrder({ scope, keys: keys.slice(1) })}`;
};
