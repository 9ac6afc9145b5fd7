/** Positions in inverse lists. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";

/** Seconds since the beginning of 2020. */
const clock = sql.raw("extract(epoch from now())::int - 1577836800");

/**
 * The position at the end of the list of links to `target`. New positions at the end are taken from the clock, while a
 * list that is set is numbered from one. So a link that is added while another transaction sets the list comes after
 * it, without a lock that all additions would have to wait for.
 */
export const endOfList = (links: PgTable, leadsTo: AnyPgColumn, place: AnyPgColumn, target: SQL): SQL =>
  sql`(select greatest(coalesce(max(${place}), 0) + 1, ${clock}) from ${links} where ${leadsTo} = ${target})`;
