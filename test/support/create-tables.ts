import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
/** Tables for tests that have no generated migration. */
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "../../runtime/database/database.ts";
import * as systemTables from "../../runtime/system-tables.ts";

/** Creates the runtime's own tables and those given, by the names of their exports. */
export const createTables = async (database: Database, tables: Readonly<Record<string, PgTable>>): Promise<void> => {
  const empty = generateDrizzleJson({});
  const full = generateDrizzleJson({ ...systemTables, ...tables }, empty.id);
  await database.script((await generateMigration(empty, full)).join("\n"));
};
