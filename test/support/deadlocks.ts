import type { Database } from "../../runtime/database/database.ts";
import { faultOf } from "../../runtime/database/fault.ts";

/** The same database, which counts the transactions that PostgreSQL ended because they waited in a circle. */
export const countingDeadlocks = (database: Database) => {
  const counted = { database, deadlocks: 0 };
  counted.database = {
    ...database,
    transaction: (work) =>
      database.transaction(work).catch((error: unknown) => {
        if (faultOf(error)?.code === "40P01") counted.deadlocks += 1;
        throw error;
      }),
  };
  return counted;
};
