/** `cms migrate reset`: empties a development database. */
import path from "node:path";
import { loadConfig } from "../../../runtime/app/loader/load-config.ts";
import type { Database, Session } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { openDatabase } from "../../../runtime/database/open.ts";
import { readHistory } from "../../migrate/history/history.ts";
import { migrationsFolder } from "../../migrate/migration.ts";
import { quote } from "../../migrate/sql.ts";
import { refuseForeign } from "../development-database.ts";
import { refuseFor } from "../exit-codes.ts";
import { out, say } from "../terminal.ts";
import { namesIn } from "./applied.ts";
import { noteApplied, noteUndone } from "./noted.ts";
import { migrationRecorder } from "./run.ts";

export interface ResetFlags {
  readonly allowLoss?: true;
  readonly database?: string;
}

const tablesIn = async (session: Session): Promise<readonly string[]> =>
  (
    await session.rows(
      "select tablename::text from pg_tables where schemaname = current_schema() and not starts_with(tablename, 'galley_') order by 1",
    )
  ).map(([name]) => String(name));

const countIn = async (session: Session, table: string): Promise<number> =>
  Number((await session.rows(`select count(*)::int from ${quote(table)}`))[0]?.[0]);

/** Content that somebody created; system tables have rows of their own from the start. */
const contentIn = async (session: Session, folder: string): Promise<readonly string[]> => {
  const tables = await tablesIn(session);
  const known = new Set(readHistory(folder).flatMap(({ snapshot }) => Object.keys(snapshot.tables)));
  const lines: string[] = [];
  for (const table of ["documents", "files", "users"]) {
    const count = tables.includes(table) ? await countIn(session, table) : 0;
    if (count > 0) lines.push(`${count} ${count === 1 ? table.slice(0, -1) : table}`);
  }
  const others = tables.filter((name) => !known.has(name));
  if (others.length > 0) lines.push(`tables that these migrations do not know: ${others.join(", ")}`);
  return lines;
};

/** Drops everything in the schema except what extensions created. */
const EMPTY = `do $$
declare
  statements text;
begin
  select string_agg(sql, ';') into statements
  from (
    select format('drop %s if exists %s cascade', case relkind when 'v' then 'view' when 'm' then 'materialized view'
      when 'S' then 'sequence' when 'f' then 'foreign table' else 'table' end, oid::regclass) as sql, oid, 'pg_class'::regclass as kind
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
    union all
    select format('drop routine if exists %s cascade', oid::regprocedure), oid, 'pg_proc'::regclass
    from pg_proc where pronamespace = current_schema()::regnamespace
    union all
    select format('drop %s if exists %s cascade', case typtype when 'd' then 'domain' else 'type' end, oid::regtype), oid, 'pg_type'::regclass
    from pg_type where typnamespace = current_schema()::regnamespace and typtype in ('e', 'd')
  ) as each
  where not exists (select from pg_depend where classid = kind and objid = each.oid and deptype in ('e', 'i'));
  execute coalesce(statements, '');
end
$$;`;

const COMMAND = "cms migrate reset";

const begin = async (database: Database, folder: string, { allowLoss }: ResetFlags) => {
  const content = await contentIn(database, folder);
  if (!allowLoss) refuseFor("this deletes; nothing was changed:", content, "to allow it: --allow-loss");
  const before = await namesIn(database);
  await database.script(EMPTY);
  return { before, content };
};

export const runReset = async (root: string, flags: ResetFlags): Promise<void> => {
  const config = await loadConfig(root);
  refuseForeign(config, flags.database);
  const database = await openDatabase(config, root, COMMAND);
  try {
    const folder = migrationsFolder(path.resolve(root, config.generate.to));
    const { before, content } = await begin(database, folder, flags);
    noteUndone(root, before);
    const names = await migrate(database, folder, {
      onStart: (name) => say(`${out.green("apply")} ${name}`),
      onEnd: await migrationRecorder(config, "migration.apply", COMMAND),
    });
    const record = await migrationRecorder(config, "migration.reset", COMMAND);
    await record?.(database, names.at(-1) ?? "", { deleted: content });
    noteApplied(root, folder, names);
    say(`the database is empty again; ${names.length} applied`);
  } finally {
    await database.close();
  }
};
