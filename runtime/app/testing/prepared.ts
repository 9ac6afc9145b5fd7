/** Databases in memory that are migrated and seeded, and are given to one test after another. */
import { rmSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { applyPermissions, planPermissions } from "../../accounts/roles/permission-plan.ts";
import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrator.ts";
import { overPglite } from "../../database/pglite.ts";
import { readSnapshot } from "../../database/snapshot.ts";
import { grantableActions } from "../grantable-actions.ts";
import { runSeed } from "../seed/run-seed.ts";
import { closeServices, createServices, type Ingredients } from "../start.ts";
import { keepContent } from "./content.ts";

/** What a database is prepared for. */
export interface Recipe extends Omit<Ingredients, "database" | "root"> {
  readonly migrations: string;
  /** The folder of the project. */
  readonly project: string;
  readonly seed: boolean;
}

/** A database for one test, with a folder for what it stores. */
export interface Lent {
  readonly database: Database;
  /** Takes uploads, and holds those of the seed. */
  readonly folder: string;
  giveBack(): Promise<void>;
}

const newFolder = (): Promise<string> => mkdtemp(path.join(tmpdir(), "galley-test-"));

const startEngine = async () => {
  const { PGlite } = await import("@electric-sql/pglite");
  const snapshot = await readSnapshot();
  return PGlite.create(snapshot ? { loadDataDir: snapshot } : {});
};

/** Fills a new database: tables, roles with what they may do, content. */
const fill = async (database: Database, { project, seed, ...recipe }: Recipe, folder: string): Promise<void> => {
  await migrate(database, recipe.migrations);
  const services = await createServices({ ...recipe, database, root: folder });
  try {
    const { roles } = services.auth;
    const plan = planPermissions(services.config.permissions, roles.all(), grantableActions(recipe.application));
    await applyPermissions(database, roles, plan);
    if (seed) await runSeed({ root: project, application: recipe.application }, services);
  } finally {
    await closeServices(services);
  }
};

/** An engine that has been prepared, and the script that makes it so again. */
interface Prepared {
  readonly engine: Awaited<ReturnType<typeof startEngine>>;
  readonly putBack: string;
  /** What the seed has uploaded. */
  readonly seeded: string;
}

const prepare = async (recipe: Recipe): Promise<Prepared> => {
  const engine = await startEngine();
  const seeded = await newFolder();
  process.once("exit", () => rmSync(seeded, { recursive: true, force: true }));
  const database = overPglite(engine);
  await fill(database, recipe, seeded);
  return { engine, putBack: await keepContent(database), seeded };
};

/** Whether an engine that was lent is again as it was prepared: not where tables were changed, for example. */
const isRestored = async ({ engine, putBack }: Prepared): Promise<boolean> => {
  try {
    for (const script of ["rollback", "discard all", putBack]) await engine.exec(script);
    return true;
  } catch {
    return false;
  }
};

/** Milliseconds after which a database is closed that no test has taken: an open one keeps its process from ending. */
const PATIENCE = 2000;

interface Idle {
  readonly recipe: Recipe;
  readonly prepared: Prepared;
  readonly closing: NodeJS.Timeout;
}

/** Databases that nobody uses now, by what they are prepared for. */
const idle: Idle[] = [];

const keepReady = (recipe: Recipe, prepared: Prepared): void => {
  const closing = setTimeout(() => {
    idle.splice(idle.indexOf(each), 1);
    void prepared.engine.close();
  }, PATIENCE).unref();
  const each: Idle = { recipe, prepared, closing };
  idle.push(each);
};

const isAlike = (one: Recipe, other: Recipe): boolean =>
  one.project === other.project &&
  one.application === other.application &&
  one.seed === other.seed &&
  isDeepStrictEqual(one.config, other.config);

/** One that is prepared for this already, else a new one. */
const take = async (recipe: Recipe): Promise<Prepared> => {
  const index = idle.findIndex((each) => isAlike(each.recipe, recipe));
  const [known] = index < 0 ? [] : idle.splice(index, 1);
  if (!known) return prepare(recipe);
  clearTimeout(known.closing);
  if (await isRestored(known.prepared)) return known.prepared;
  await known.prepared.engine.close();
  return prepare(recipe);
};

/** Lends a database that is prepared as the recipe says, to be given back in any state. */
export const lend = async (recipe: Recipe): Promise<Lent> => {
  const prepared = await take(recipe);
  const { engine, seeded } = prepared;
  // The database that filled it knows statements that this one does not.
  await engine.exec("discard all");
  const database = overPglite(engine);
  const folder = await newFolder();
  await cp(seeded, folder, { recursive: true });
  return {
    database,
    folder,
    async giveBack() {
      await database.exclusively(async () => {});
      await rm(folder, { recursive: true, force: true });
      keepReady(recipe, prepared);
    },
  };
};
