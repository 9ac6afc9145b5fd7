/**
 * Saves and restores the content of all tables within a database. This takes a tenth of a second, while seeding takes
 * seconds.
 */
import type { Database, Session } from "../../database/database.ts";

/** The SQL schema with the saved content. */
const SAVED = "galley_testing";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const namesIn = async (session: Session, sql: string): Promise<readonly string[]> =>
  (await session.rows(sql)).map(([name]) => String(name));

/** The statements that set a sequence to its current value. */
const sequenceSteps = async (session: Session): Promise<readonly string[]> => {
  const steps: string[] = [];
  for (const name of await namesIn(session, "select sequencename from pg_sequences where schemaname = 'public'")) {
    const [[last, isCalled] = []] = await session.rows(`select last_value, is_called from public.${quoted(name)}`);
    steps.push(`select setval('public.${quoted(name).replaceAll("'", "''")}', ${String(last)}, ${String(isCalled)})`);
  }
  return steps;
};

/** The columns to write; the database computes the others. */
const columnsOf = async (session: Session, table: string): Promise<string> => {
  const rows = await session.rows(
    "select column_name from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position",
    [table],
  );
  return rows.map(([name]) => quoted(String(name))).join(", ");
};

/** Saves the content of all tables and sequences; returns the script that restores it. */
export const keepContent = async (database: Database): Promise<string> => {
  const tables = await namesIn(database, "select tablename from pg_tables where schemaname = 'public'");
  await database.script(`create schema ${SAVED}`);
  const steps = [
    "begin",
    // Turns off foreign keys and triggers, since the content was valid when it was saved.
    "set local session_replication_role = replica",
    `truncate ${tables.map((name) => `public.${quoted(name)}`).join(", ")}`,
  ];
  for (const name of tables) {
    const columns = await columnsOf(database, name);
    await database.script(`create table ${SAVED}.${quoted(name)} as select ${columns} from public.${quoted(name)}`);
    const [[count] = []] = await database.rows(`select count(*) from ${SAVED}.${quoted(name)}`);
    if (Number(count) === 0) continue;
    steps.push(
      `insert into public.${quoted(name)} (${columns}) overriding system value select ${columns} from ${SAVED}.${quoted(name)}`,
    );
  }
  return [...steps, ...(await sequenceSteps(database)), "commit"].join(";\n");
};
