/** Tables for tests that have no generated migration. */
import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { describeTables } from "../../generator/migrate/tables/describe-tables.ts";
import type { Application } from "../../runtime/app/application.ts";
import type { Database } from "../../runtime/database/database.ts";
import type { Attribute } from "../../runtime/schema/content-type.ts";
import * as systemTables from "../../runtime/schema/system-tables.ts";
import { SEARCH_FUNCTIONS } from "../../runtime/search/functions.ts";
import { creationSql } from "./creation-sql.ts";

/** Creates the runtime's own tables and those given, by the names of their exports, and what their indexes call. */
export const createTables = async (database: Database, tables: Readonly<Record<string, PgTable>>): Promise<void> => {
  const described = describeTables(Object.values({ ...systemTables, ...tables }));
  await database.script(SEARCH_FUNCTIONS);
  await database.script(creationSql(described));
};

/** The tables of an application's types, and those of their links. */
export const tablesOf = ({ contentTypes }: Application): Readonly<Record<string, PgTable>> =>
  Object.fromEntries(
    Object.values(contentTypes).flatMap(({ type }) => [
      [type.uid, type.table] as const,
      ...Object.values<Attribute>({ ...type.attributes }).flatMap((attribute) =>
        "link" in attribute ? [[getTableName(attribute.link), attribute.link] as const] : [],
      ),
    ]),
  );
