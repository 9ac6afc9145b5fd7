import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Session } from "../../../runtime/database/database.ts";
import { columnTypes, type StoredRow } from "./build-version.ts";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const texts = new WeakMap<PgTable, string>();

const textFor = (table: PgTable): string => {
  const columns = columnTypes(table);
  const names = columns.map(([name]) => quoted(name)).join(", ");
  const types = columns.map(([name, type]) => `${quoted(name)} ${type}`).join(", ");
  return `insert into ${quoted(getTableName(table))} (${names}) select ${names} from json_to_recordset($1::json) as row(${types})`;
};

/** Inserts rows with one statement. Values are JSON; what is JSON in the database too stays as it is, to the letter. */
export const insertRows = async (session: Session, table: PgTable, rows: readonly StoredRow[]): Promise<void> => {
  if (rows.length === 0) return;
  const text = texts.get(table) ?? textFor(table);
  texts.set(table, text);
  await session.rows(text, [JSON.stringify(rows)]);
};
