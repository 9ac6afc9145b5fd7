/**
 * In-memory databases that are migrated and seeded, and used by one test after another. In between their content is
 * restored, which takes a tenth of a second, while seeding takes seconds.
 */
import { rmSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { applyPermissions, planPermissions } from "../../accounts/roles/permission-plan.ts";
import { actionsByRole } from "../../config/permissions.ts";
import type { Database, Session } from "../../database/database.ts";
import { overPglite } from "../../database/embedded/pglite.ts";
import { readSnapshot } from "../../database/embedded/snapshot.ts";
import { migrate } from "../../database/migrations/migrator.ts";
import { grantableActions } from "../grantable-actions.ts";
import { runSeed } from "../seed/context.ts";
import { closeServices, createServices, type Ingredients } from "../start.ts";

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
const keepContent = async (database: Database): Promise<string> => {
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

/** The settings with which a database was prepared. */
export interface Recipe extends Omit<Ingredients, "database" | "root"> {
  readonly migrations: string;
  /** The folder of the project. */
  readonly project: string;
  readonly seed: boolean;
}

/** Folders to remove at the end of the process, if they still exist. */
const folders = new Set<string>();

process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), "galley-test-"));
  folders.add(folder);
  return folder;
};

const removeFolder = async (folder: string): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  folders.delete(folder);
};

const startEngine = async () => {
  const { PGlite } = await import("@electric-sql/pglite");
  const snapshot = await readSnapshot();
  return PGlite.create(snapshot ? { loadDataDir: snapshot } : {});
};

/** Prepares a new database: tables, roles with permissions, content. */
const fill = async (database: Database, { project, seed, ...recipe }: Recipe, folder: string): Promise<void> => {
  await migrate(database, recipe.migrations);
  const services = await createServices({ ...recipe, database, root: folder });
  try {
    const { roles } = services.auth;
    const plan = planPermissions(
      actionsByRole(services.config.permissions),
      roles.all(),
      grantableActions(recipe.application, services.config),
    );
    await applyPermissions(database, roles, plan);
    if (seed) await runSeed(project, services);
  } finally {
    await closeServices(services);
  }
};

/** A prepared database engine, and the script that restores its prepared state. */
interface Prepared {
  readonly engine: Awaited<ReturnType<typeof startEngine>>;
  readonly putBack: string;
  /** The folder with the files that the seed has uploaded. */
  readonly seeded: string;
}

/** An open database would keep the process running. */
const discard = async ({ engine, seeded }: Pick<Prepared, "engine" | "seeded">): Promise<void> => {
  await engine.close();
  await removeFolder(seeded);
};

const prepare = async (recipe: Recipe): Promise<Prepared> => {
  const engine = await startEngine();
  const seeded = await newFolder();
  try {
    const database = overPglite(engine);
    await fill(database, recipe, seeded);
    return { engine, putBack: await keepContent(database), seeded };
  } catch (error) {
    await discard({ engine, seeded });
    throw error;
  }
};

/** Restores an engine. Returns false if that fails, for example because tables were changed. */
const isRestored = async ({ engine, putBack }: Prepared): Promise<boolean> => {
  try {
    for (const script of ["rollback", "discard all", putBack]) await engine.exec(script);
    return true;
  } catch {
    return false;
  }
};

/** Milliseconds after which an unused database is closed, since an open one keeps its process running. */
const PATIENCE = 2000;

interface Idle {
  readonly recipe: Recipe;
  readonly prepared: Prepared;
  readonly closing: NodeJS.Timeout;
}

/** Unused databases, with the settings that they were prepared for. */
const idle: Idle[] = [];

const keepReady = (recipe: Recipe, prepared: Prepared): void => {
  const closing = setTimeout(() => {
    idle.splice(idle.indexOf(each), 1);
    void discard(prepared);
  }, PATIENCE).unref();
  const each: Idle = { recipe, prepared, closing };
  idle.push(each);
};

const isAlike = (one: Recipe, other: Recipe): boolean =>
  one.project === other.project &&
  one.application === other.application &&
  one.seed === other.seed &&
  isDeepStrictEqual(one.config, other.config);

/** An unused database with these settings, or a new one. */
const take = async (recipe: Recipe): Promise<Prepared> => {
  const index = idle.findIndex((each) => isAlike(each.recipe, recipe));
  const [known] = index < 0 ? [] : idle.splice(index, 1);
  if (!known) return prepare(recipe);
  clearTimeout(known.closing);
  if (await isRestored(known.prepared)) return known.prepared;
  await discard(known.prepared);
  return prepare(recipe);
};

/** Lends a database that is prepared for the settings. It may be returned in any state. */
export const lend = async (recipe: Recipe) => {
  const prepared = await take(recipe);
  const { engine, seeded } = prepared;
  // Forgets prepared statements, which the connection that is opened now does not know.
  await engine.exec("discard all");
  const database = overPglite(engine);
  const folder = await newFolder();
  await cp(seeded, folder, { recursive: true });
  return {
    database,
    /** The folder for uploads, with the files of the seed. */
    folder,
    async giveBack(): Promise<void> {
      await database.exclusively(async () => {});
      await removeFolder(folder);
      keepReady(recipe, prepared);
    },
  };
};
