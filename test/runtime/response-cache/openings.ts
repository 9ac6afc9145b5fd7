/** Connections to one database for several servers. */
import type { Database } from "../../../runtime/database/database.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { type Cleanup, type DatabaseKind, freshDatabase, freshPostgresUrl } from "../../support/database.ts";

/** Opens a database anew for each who asks, as processes do; the embedded one has but one connection. */
export const openings = async (kind: DatabaseKind, cleanup: Cleanup): Promise<() => Promise<Database>> => {
  if (kind === "pglite") {
    const database = await freshDatabase(kind, cleanup);
    return async () => database;
  }
  const url = await freshPostgresUrl(cleanup);
  return async () => {
    const database = await openPostgres(url, 4, { statementSeconds: 120, lockSeconds: 120 });
    cleanup(() => database.close());
    return database;
  };
};
