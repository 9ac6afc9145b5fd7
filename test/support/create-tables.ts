/** Tables for tests that have no generated migration. */
import type { PgTable } from "drizzle-orm/pg-core";
import { describeTables } from "../../generator/migrate/tables/describe-tables.ts";
import type { Database } from "../../runtime/database/database.ts";
import * as systemTables from "../../runtime/schema/system-tables.ts";
import { SEARCH_FUNCTIONS } from "../../runtime/search/functions.ts";
import { creationSql } from "./creation-sql.ts";

/** Creates the runtime's own tables and those given, by the names of their exports, and what their indexes call. */
export const createTables = async (database: Database, tables: Readonly<Record<string, PgTable>>): Promise<void> => {
  const described = describeTables([...Object.values(systemTables), ...Object.values(tables)]);
  await database.script(SEARCH_FUNCTIONS);
  await database.script(creationSql(described));
};
