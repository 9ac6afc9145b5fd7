/** Drizzle databases for project code: their statements run in one of our sessions, with its limits and locks. */
import { createTableRelationsHelpers, extractTablesRelationalConfig } from "drizzle-orm";
import type { ExtractTablesWithRelations } from "drizzle-orm";
import { PgDatabase, PgDialect } from "drizzle-orm/pg-core";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { PostgresJsSession } from "drizzle-orm/postgres-js/session";
import type { Sql } from "postgres";
import type { Database, Parameter, Row } from "./database.ts";
import { createPart } from "./part.ts";

type Tables = Record<string, unknown>;

/**
 * A Drizzle database, as `drizzle-orm/postgres-js` makes them, over the server's connections; inside of a transaction it
 * is part of that. {@link withSchema} adds `db.query`.
 */
export type Db<Schema extends Tables = Record<string, never>> = PostgresJsDatabase<Schema>;

/** What results have beside their rows, with either driver. */
interface Described {
  readonly columns?: readonly { readonly name: string }[];
  readonly count?: number | null;
}

const recordsOf = (rows: readonly Row[] & Described) => {
  const { columns = [], count = rows.length } = rows;
  const records = rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])));
  return Object.assign(records, { columns, count });
};

/** A value as Drizzle passes it to the driver, for a table's column or a parameter of `sql`. */
const parameterOf = (value: unknown): Parameter => {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (typeof value === "bigint") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return value.map((each) => String(each));
  throw new TypeError(`a value of type ${typeof value} cannot be a parameter of a statement`);
};

type Work<Result> = (client: object) => Promise<Result>;

/** What Drizzle calls on a postgres.js client. Nested transactions become parts of the outer one. */
const clientOf = (database: Database) => {
  const begin = <Result>(work: Work<Result>): Promise<Result> =>
    database.transaction((session) => {
      const part = createPart(database.kind, session, { isOver: false });
      return part.run(() => work(clientOf(part.database)));
    });
  return {
    unsafe(sql: string, parameters: readonly unknown[] = []) {
      const rows = database.rows(sql, parameters.map(parameterOf));
      const records = rows.then(recordsOf);
      // Drizzle awaits one of the two.
      records.catch(() => {});
      return Object.assign(records, { values: () => rows });
    },
    begin,
    savepoint: begin,
  };
};

/** Drizzle uses nothing else of the client. */
const isClient = (client: object): client is Sql => "unsafe" in client;

const databases = new WeakMap<object, Database>();

const schemaOf = <Schema extends Tables>(fullSchema: Schema) => {
  const { tables, tableNamesMap } = extractTablesRelationalConfig<ExtractTablesWithRelations<Schema>>(
    fullSchema,
    createTableRelationsHelpers,
  );
  return { fullSchema, schema: tables, tableNamesMap };
};

const open = <Schema extends Tables>(database: Database, schema: Schema): Db<Schema> => {
  const client: object = clientOf(database);
  if (!isClient(client)) throw new TypeError("not a client");
  const dialect = new PgDialect();
  const config = schemaOf(schema);
  const db: Db<Schema> = new PgDatabase(dialect, new PostgresJsSession(client, dialect, config), config);
  databases.set(db, database);
  return db;
};

/** The Drizzle database over a database, or over a transaction. */
export const createDb = (database: Database): Db => open(database, {});

/** The database that `db` was created over. */
export const databaseOf = (db: object): Database => {
  const database = databases.get(db);
  if (database === undefined) throw new TypeError("This is not the `db` that code of the project gets.");
  return database;
};

/**
 * The same database with relational queries.
 *
 * @param schema the tables and relations: `{ ...tables, ...relations }`, all that `generated/tables.ts` and
 *   `generated/relations.ts` export
 */
export const withSchema = <Schema extends Tables>(db: Db, schema: Schema): Db<Schema> => open(databaseOf(db), schema);
