/** The statements of lists that are read with cursors. */
import { type SQL, sql } from "drizzle-orm";
import type { Shape } from "../query.ts";
import { partsAfter, partsOfAll } from "../sql/after.ts";
import { compile, input, type Statement } from "../sql/compile.ts";
import type { Build } from "../sql/scope.ts";
import {
  aliasedTable,
  commaSeparated,
  idOf,
  joinsOf,
  keyColumns,
  keyOrder,
  limit,
  type Listing,
  selected,
  valueOrder,
  whereOf,
} from "./pages.ts";
import type { Plan, WalkPlan } from "./plan.ts";

const joinedBy = sql.raw(" union all ");

const asText = (value: SQL): SQL => sql`(${value})::text`;

const tablesOf = ({ scope, joins }: Listing): SQL => sql`${aliasedTable(scope)}${joinsOf("left join", joins)}`;

/** The columns of the rows, followed by the sort values as texts. */
const columnsOf = ({ selection }: Listing, values: readonly SQL[]): SQL => selected(selection, values.map(asText));

/** A statement whose rows all meet one condition. */
const whole = (listing: Listing, condition: SQL | undefined): SQL => {
  const columns = columnsOf(
    listing,
    listing.keys.map(({ value }) => value),
  );
  const from = sql`${tablesOf(listing)}${whereOf(listing.where, condition)}`;
  return sql`select ${columns} from ${from} order by ${valueOrder(listing)} limit ${limit}`;
};

const part = (index: number): SQL => sql.raw(`p${index}`);

/** Whether the parts before have not filled the page. PostgreSQL finds out before it begins to read a part. */
const hasRoom = (index: number): SQL | undefined => {
  const counts = Array.from({ length: index }, (_, before) => sql`(select count(*) from ${part(before)})`);
  return index === 0 ? undefined : sql`${sql.join(counts, sql.raw(" + "))} < ${limit}`;
};

/** A statement that reads one part after the other, until the page is full. */
const divided = (listing: Listing, conditions: readonly (SQL | undefined)[]): SQL => {
  const { keys, scope, where } = listing;
  const parts = conditions.map((condition, index) => {
    const from = sql`${tablesOf(listing)}${whereOf(where, condition, hasRoom(index))}`;
    return sql`${part(index)} as (select ${keyColumns(listing)} from ${from} order by ${valueOrder(listing)} limit ${limit})`;
  });
  const found = sql.join(
    parts.map((_, index) => sql`select * from ${part(index)}`),
    joinedBy,
  );
  const columns = columnsOf(
    listing,
    keys.map((_, index) => sql.raw(`chosen.k${index}`)),
  );
  const rows = sql`(${found}) as chosen join ${aliasedTable(scope)} on ${idOf(scope)} = chosen.id`;
  return sql`with ${commaSeparated(parts)} select ${columns} from ${rows} order by ${keyOrder(listing, "chosen")} limit ${limit}`;
};

/** Reads the sort values that one row has now. */
const valuesOf = (listing: Listing): Statement => {
  const { keys, scope } = listing;
  const values = commaSeparated(keys.map(({ value }) => asText(value)));
  return compile(sql`select ${values} from ${tablesOf(listing)} where ${idOf(scope)} = ${input("anchor")}`);
};

/** The statement that reads a page of a walk, and what is known of its columns. */
export const planWalk = (
  build: Build,
  listing: Listing,
  shape: Shape,
): (Pick<Plan, "page"> & { readonly walk: WalkPlan }) | undefined => {
  if (shape.walk === undefined) return undefined;
  const { scope, keys, joins, selection } = listing;
  const { from } = shape.walk;
  const conditions = from === "beginning" ? partsOfAll(keys) : partsAfter(build, scope, shape, keys);
  const isWhole = conditions.length === 1 && joins.length === 0;
  const query = isWhole ? whole(listing, conditions[0]) : divided(listing, conditions);
  const page = compile(query, listing.isEstimated);
  const firstValue = Object.keys(selection.fields).length;
  return { page, walk: { firstValue, values: from.includes("digest") ? valuesOf(listing) : undefined } };
};
