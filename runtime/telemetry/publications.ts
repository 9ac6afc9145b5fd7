/** Counts the publications of each hour. */
import { count, gte, sql } from "drizzle-orm";
import type { Caller } from "../access/caller.ts";
import { builder, type Database, run } from "../database/database.ts";
import type { Registry } from "../schema/registry.ts";

/**
 * How many versions were published since an instant that are still published, by the beginning of the hour; of the types
 * that the caller may find.
 */
export const readPublications = async (
  { database, registry }: { readonly database: Database; readonly registry: Registry },
  caller: Caller,
  since: string,
): Promise<ReadonlyMap<string, number>> => {
  const sums = new Map<string, number>();
  for (const { type } of Object.values(registry.contentTypes)) {
    if (!type.draftAndPublish || !caller.can(`${type.uid}.find`)) continue;
    const { publishedAt } = type.table;
    const hour = sql<string>`to_char(date_trunc('hour', ${publishedAt}), 'YYYY-MM-DD"T"HH24:00:00.000"Z"')`;
    const rows = await run(
      database,
      builder
        .select({ hour, count: count() })
        .from(type.table)
        .where(gte(publishedAt, since))
        .groupBy(sql`1`),
    );
    for (const [at, published] of rows) sums.set(String(at), (sums.get(String(at)) ?? 0) + Number(published));
  }
  return sums;
};
