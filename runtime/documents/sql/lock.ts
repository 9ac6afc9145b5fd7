/** Locks that no row stands for. They last until the transaction ends. */
import { sql } from "drizzle-orm";
import { documents } from "../../schema/columns.ts";
import { type Bound, statementOf } from "./statement.ts";
import { value } from "./version.ts";

const lockWith =
  (take: "pg_advisory_xact_lock" | "pg_advisory_xact_lock_shared") =>
  (name: string): Bound => ({
    statement: statementOf(documents, take, () => sql`select ${sql.raw(take)}(hashtext(${value("name")}))`),
    values: { name },
  });

/** Waits for whoever holds the lock of that name. */
export const lockExclusive = lockWith("pg_advisory_xact_lock");

/** Waits for whoever holds the lock of that name exclusively. */
export const lockShared = lockWith("pg_advisory_xact_lock_shared");
