/** The rows of a table, ordered by id. */
import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Session } from "../../runtime/database/database.ts";
import { quote } from "../migrate/sql.ts";
import type { StoredVersion } from "./entity-data.ts";

const BATCH = 250;

/** Reads in batches; each row is keyed by column name. */
export async function* batchesOf(session: Session, table: PgTable): AsyncIterable<readonly StoredVersion[]> {
  const names = Object.values(getTableColumns(table)).flatMap(({ name, generated }) => (generated ? [] : name));
  const rowsAfter = `select ${names.map(quote).join(", ")} from ${quote(getTableName(table))}
    where id > $1 order by id limit ${BATCH}`;
  for (let after = 0; ;) {
    const rows = await session.rows(rowsAfter, [after]);
    const batch = rows.map((row): StoredVersion => new Map(names.map((name, index) => [name, row[index] ?? null])));
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = Number(last.get("id"));
  }
}
