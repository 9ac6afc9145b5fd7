/** Places in the list that the other side of a relation has. */
import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";

/** Seconds since the beginning of 2020. */
const clock = sql.raw("extract(epoch from now())::int - 1577836800");

/**
 * The end of the list that leads to `target`. Places at the end are taken from the clock, while lists that are set are
 * counted from one: so whoever is added while the list is set from the other side comes behind it, without a lock that
 * all who are added would wait for.
 */
export const endOfList = (links: PgTable, leadsTo: AnyPgColumn, place: AnyPgColumn, target: SQL): SQL =>
  sql`(select greatest(coalesce(max(${place}), 0) + 1, ${clock}) from ${links} where ${leadsTo} = ${target})`;
