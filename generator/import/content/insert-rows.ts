import { getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { SetupError } from "../../../runtime/base/thrown.ts";
import { numberOf, type Session } from "../../../runtime/database/database.ts";
import { isRefused } from "../../../runtime/database/fault.ts";
import { quote } from "../../migrate/sql.ts";
import { columnTypes, type StoredRow } from "./build-version.ts";

const texts = new WeakMap<PgTable, string>();

const textFor = (table: PgTable): string => {
  const columns = columnTypes(table);
  const names = columns.map(([name]) => quote(name)).join(", ");
  const types = columns.map(([name, type]) => `${quote(name)} ${type}`).join(", ");
  const insert = `insert into ${quote(getTableName(table))} (${names}) select ${names} from json_to_recordset($1::json) as row(${types})`;
  return `with stored as (${insert} returning 1) select count(*)::int from stored`;
};

/** Inserts the rows and returns how many were stored. Database refusals are the project's to fix. */
const insert = async (session: Session, table: PgTable, rows: readonly StoredRow[]): Promise<number> => {
  const text = texts.get(table) ?? textFor(table);
  texts.set(table, text);
  try {
    const [[stored] = []] = await session.rows(text, [JSON.stringify(rows)]);
    return numberOf(stored);
  } catch (error) {
    if (!(error instanceof Error && isRefused(error))) throw error;
    throw new SetupError(`The database refuses rows of ${getTableName(table)}: ${error.message}`, { cause: error });
  }
};

/**
 * Inserts rows in one statement. Values are passed as JSON; JSON columns keep their text to the letter.
 *
 * @throws SetupError if a constraint, trigger or policy of the database refuses or skips rows
 */
export const insertRows = async (session: Session, table: PgTable, rows: readonly StoredRow[]): Promise<void> => {
  if (rows.length === 0) return;
  const left = rows.length - (await insert(session, table, rows));
  if (left === 0) return;
  const which = `${left} of ${rows.length} rows of ${getTableName(table)}`;
  throw new SetupError(`A trigger or policy of the database has left out ${which}`);
};
