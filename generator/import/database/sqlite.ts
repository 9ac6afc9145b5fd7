/** Reads a Strapi database in SQLite: from a copy, so that it does not block whoever has it open. */
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import sqlite from "node-sqlite3-wasm";
import { SetupError } from "../../../runtime/base/thrown.ts";
import { quote } from "../../migrate/sql.ts";
import { jsonOf, type SourceRow, type SourceTables } from "./tables.ts";

type Stored = number | bigint | string | Uint8Array | null;

const instant = (value: number | string): string => {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString();
};

const LONGEST = 2n ** 63n;

/** A long integer that was stored as a float is rounded, which can exceed the range. */
const whole = (value: number | bigint | string): string => {
  if (typeof value !== "number" || !Number.isInteger(value)) return String(value);
  const number = BigInt(value);
  return String(number >= LONGEST ? LONGEST - 1n : number < -LONGEST ? -LONGEST : number);
};

/**
 * Converts a value to its form in an export. Booleans are numbers here, timestamps are milliseconds, long integers may
 * be either.
 */
const valueOf = (type: string, value: Stored): unknown => {
  if (value === null || value instanceof Uint8Array) return null;
  switch (type) {
    case "boolean":
      return Number(value) !== 0;
    case "bigint":
      return whole(value);
    case "datetime":
      return instant(typeof value === "bigint" ? Number(value) : value);
    case "json":
      return typeof value === "bigint" ? Number(value) : jsonOf(value);
    default:
      return typeof value === "bigint" ? String(value) : value;
  }
};

const isStored = (value: unknown): value is Stored =>
  value === null || ["number", "bigint", "string"].includes(typeof value) || value instanceof Uint8Array;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

type Columns = ReadonlyMap<string, ReadonlyMap<string, string>>;

const readColumns = (database: sqlite.Database): Columns => {
  const names = database.all("select name from sqlite_schema where type = 'table'").map(({ name }) => text(name));
  return new Map(
    names.map((table) => [
      table,
      new Map(
        database
          .all("select name, lower(type) as type from pragma_table_info(?)", table)
          .map(({ name, type }) => [text(name), text(type)] as const),
      ),
    ]),
  );
};

/** SQLite's limit of values per statement. */
const MOST = 30_000;

const tablesOf = (database: sqlite.Database): SourceTables => {
  const columns = readColumns(database);
  const read = (table: string, rest: string, values: (number | string)[]): readonly SourceRow[] => {
    const types = columns.get(table);
    return database
      .all(`select * from ${quote(table)} ${rest}`, values)
      .map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            isStored(value) ? valueOf(types?.get(name) ?? "", value) : null,
          ]),
        ),
      );
  };
  return {
    columns: (table) => {
      const found = columns.get(table);
      return found && [...found.keys()];
    },
    page: (table, after, limit) => Promise.resolve(read(table, `where id > ? order by id limit ${limit}`, [after])),
    having(table, column, keys) {
      const rows: SourceRow[] = [];
      for (let from = 0; from < keys.length; from += MOST) {
        const some = keys.slice(from, from + MOST);
        rows.push(...read(table, `where ${quote(column)} in (${some.map(() => "?").join(", ")}) order by id`, some));
      }
      return Promise.resolve(rows);
    },
  };
};

const isFilled = async (file: string): Promise<boolean> => ((await stat(file).catch(() => undefined))?.size ?? 0) > 0;

/**
 * Opens the database in `file`.
 *
 * @throws SetupError if it is not a SQLite database, or part of it is still in a separate file
 */
export const openSqlite = async (file: string) => {
  for (const beside of [`${file}-wal`, `${file}-journal`]) {
    if (await isFilled(beside)) {
      throw new SetupError(`${beside} holds what is not in the database yet. Stop Strapi, and start the import again.`);
    }
  }
  const folder = await mkdtemp(path.join(tmpdir(), "galley-sqlite-"));
  const copy = path.join(folder, "copy.db");
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  let database: sqlite.Database | undefined;
  try {
    await copyFile(file, copy);
    database = new sqlite.Database(copy, { readOnly: true, fileMustExist: true });
    const opened = database;
    // Open files remain readable after unlinking, so a killed import leaves no copy behind.
    opened.all("select name from sqlite_master limit 1");
    await rm(copy, { force: true }).catch(() => {});
    return {
      tables: tablesOf(opened),
      async close(): Promise<void> {
        opened.close();
        await remove();
      },
    };
  } catch (error) {
    database?.close();
    await remove();
    throw new SetupError(`${file} cannot be read as a database of SQLite: ${String(error)}`, { cause: error });
  }
};
