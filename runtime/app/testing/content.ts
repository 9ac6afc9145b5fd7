/** What the tables of a database hold, kept beside them and put back: a tenth of a second instead of some seconds. */
import type { Database, Session } from "../../database/database.ts";

/** Where the content is kept. */
const KEPT = "galley_testing";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const namesIn = async (session: Session, sql: string): Promise<readonly string[]> =>
  (await session.rows(sql)).map(([name]) => String(name));

/** The statements that bring a sequence to where it is now. */
const sequenceSteps = async (session: Session): Promise<readonly string[]> => {
  const steps: string[] = [];
  for (const name of await namesIn(session, "select sequencename from pg_sequences where schemaname = 'public'")) {
    const [[last, isCalled] = []] = await session.rows(`select last_value, is_called from public.${quoted(name)}`);
    steps.push(`select setval('public.${quoted(name).replaceAll("'", "''")}', ${String(last)}, ${String(isCalled)})`);
  }
  return steps;
};

/** Columns that are written; others are worked out by the database. */
const columnsOf = async (session: Session, table: string): Promise<string> => {
  const rows = await session.rows(
    "select column_name from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position",
    [table],
  );
  return rows.map(([name]) => quoted(String(name))).join(", ");
};

/** Keeps the content of all tables and sequences as it is now; returns the script that puts it back. */
export const keepContent = async (database: Database): Promise<string> => {
  const tables = await namesIn(database, "select tablename from pg_tables where schemaname = 'public'");
  await database.script(`create schema ${KEPT}`);
  const steps = [
    "begin",
    // Neither foreign keys nor triggers look at what is put back: it was in order when it was kept.
    "set local session_replication_role = replica",
    `truncate ${tables.map((name) => `public.${quoted(name)}`).join(", ")}`,
  ];
  for (const name of tables) {
    const columns = await columnsOf(database, name);
    await database.script(`create table ${KEPT}.${quoted(name)} as select ${columns} from public.${quoted(name)}`);
    const [[count] = []] = await database.rows(`select count(*) from ${KEPT}.${quoted(name)}`);
    if (Number(count) === 0) continue;
    steps.push(
      `insert into public.${quoted(name)} (${columns}) overriding system value select ${columns} from ${KEPT}.${quoted(name)}`,
    );
  }
  return [...steps, ...(await sequenceSteps(database)), "commit"].join(";\n");
};
