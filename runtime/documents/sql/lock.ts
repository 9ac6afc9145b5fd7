/** Locks that no row stands for. They last until the transaction ends. */
import { sql } from "drizzle-orm";
import { documents } from "../../columns.ts";
import { type Bound, statementOf } from "./statement.ts";
import { value } from "./version.ts";

/** Waits for whoever holds the lock of that name. */
export const lockExclusive = (name: string): Bound => ({
  statement: statementOf(
    documents,
    "lock exclusive",
    () => sql`select pg_advisory_xact_lock(hashtext(${value("name")}))`,
  ),
  values: { name },
});

/** Waits for whoever holds the lock of that name exclusively. */
export const lockShared = (name: string): Bound => ({
  statement: statementOf(
    documents,
    "lock shared",
    () => sql`select pg_advisory_xact_lock_shared(hashtext(${value("name")}))`,
  ),
  values: { name },
});
