/** The readiness checks of the database: everything that requests need. */
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { ServiceUnavailableError } from "../base/errors.ts";
import type { Database } from "../database/database.ts";
import { migrationStatus } from "../database/migrations/migrator.ts";
import { attributesOf } from "../documents/attributes.ts";
import type { Feature } from "../http/context.ts";
import type { Registry } from "../schema/registry.ts";
import * as systemTables from "../schema/system-tables.ts";

/** Whether the database accepts writes, and which tables and columns are missing or inaccessible. */
const FAULTS = `
  select current_setting('transaction_read_only') = 'on', string_agg(distinct fault, ', ')
  from (
    select case
      when not (has_table_privilege(id, 'select') and has_table_privilege(id, 'insert')
        and has_table_privilege(id, 'update') and has_table_privilege(id, 'delete'))
        then name || ' may not be read and written'
      when not exists (select from pg_attribute where attrelid = id and attname = member and not attisdropped)
        then name || '.' || member || ' is missing'
    end as fault
    from unnest($1::text[], $2::text[]) as wanted(name, member)
      cross join lateral (select to_regclass(quote_ident(name)) as id) as found) as faults`;

/** All tables that the server reads and writes: those of content types and their links, and its own. */
const tablesOf = (contentTypes: Registry["contentTypes"], features: readonly Feature[]): readonly PgTable[] => [
  ...Object.values(contentTypes).flatMap(({ type }) => [
    type.table,
    ...attributesOf(type).flatMap(([, attribute]) => ("link" in attribute ? attribute.link : [])),
  ]),
  ...Object.values(systemTables).filter((each) => is(each, PgTable)),
  ...features.flatMap(({ tables }) => tables),
];

/**
 * Creates the check that the tables can be read and written, and have the columns that the code expects.
 *
 * @throws ServiceUnavailableError when it fails; the cause names what is wrong
 */
export const tableCheck = (
  database: Database,
  { contentTypes }: Registry,
  features: readonly Feature[],
): (() => Promise<void>) => {
  const wanted = tablesOf(contentTypes, features).flatMap((table) =>
    Object.values(getTableColumns(table)).map((column) => [getTableName(table), column.name] as const),
  );
  const parameters = [wanted.map(([table]) => table), wanted.map(([, column]) => column)];
  return async () => {
    const [isReadOnly, faults] = (await database.rows(FAULTS, parameters))[0] ?? [];
    if (isReadOnly === true) throw new ServiceUnavailableError("The database takes no writes at the moment");
    if (typeof faults !== "string") return;
    throw Object.assign(new ServiceUnavailableError("The tables of the database are not as expected"), {
      cause: new Error(faults),
    });
  };
};

/** Checks the migrations, since somebody may revert them while a server runs. */
export const demandMigrations = async (database: Database, folder: string): Promise<void> => {
  const { pending } = await migrationStatus(database, folder);
  if (pending.length > 0) throw new ServiceUnavailableError("The database is behind the code");
};
