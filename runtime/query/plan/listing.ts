/** SQL for lists: which rows match, and in which order. */
import { type SQL, sql } from "drizzle-orm";
import type { JoinedKey, OrderJoin } from "../sql/joined-order.ts";
import { inOrder, type OrderKey } from "../sql/order.ts";
import { type RowScope, systemColumn } from "../sql/scope.ts";
import type { Selection } from "./selection.ts";

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
