/** In-memory databases that are migrated and seeded, and used by one test after another. */
import { rmSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { applyPermissions, planPermissions } from "../../accounts/roles/permission-plan.ts";
import { actionsByRole } from "../../config/permissions.ts";
import type { Database } from "../../database/database.ts";
import { overPglite } from "../../database/embedded/pglite.ts";
import { readSnapshot } from "../../database/embedded/snapshot.ts";
import { migrate } from "../../database/migrations/migrator.ts";
import { grantableActions } from "../grantable-actions.ts";
import { runSeed } from "../seed/run-seed.ts";
import { closeServices, createServices, type Ingredients } from "../start.ts";
import { keepContent } from "./content.ts";

/** The settings with which a database was prepared. */
export interface Recipe extends Omit<Ingredients, "database" | "root"> {
  readonly migrations: string;
  /** The folder of the project. */
  readonly project: string;
  readonly seed: boolean;
}

/** A database for one test, and a folder for its files. */
export interface Lent {
  readonly database: Database;
  /** The folder for uploads, with the files of the seed. */
  readonly folder: string;
  giveBack(): Promise<void>;
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
export const lend = async (recipe: Recipe): Promise<Lent> => {
  const prepared = await take(recipe);
  const { engine, seeded } = prepared;
  // Forgets prepared statements, which the connection that is opened now does not know.
  await engine.exec("discard all");
  const database = overPglite(engine);
  const folder = await newFolder();
  await cp(seeded, folder, { recursive: true });
  return {
    database,
    folder,
    async giveBack() {
      await database.exclusively(async () => {});
      await removeFolder(folder);
      keepReady(recipe, prepared);
    },
  };
};
