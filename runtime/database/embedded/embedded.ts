/** Manages the folder of an embedded database: creates it from the snapshot, locks it, and checks its version. */
import { existsSync } from "node:fs";
import { readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { z } from "zod";
import { closeToOthers, makePrivateFolder, writePrivateFile } from "../../base/private-folder.ts";
import { SetupError } from "../../base/thrown.ts";
import type { Database } from "../database.ts";
import { awaitLock, type DatabaseLockedError, SERVING } from "./lock.ts";
import { overPglite } from "./pglite.ts";
import { pgliteVersion, readSnapshot } from "./snapshot.ts";

/** Written when the folder is complete; names the version that made it. */
const MARKER = "galley.json";
const markerSchema = z.object({ pglite: z.string() });

/** The folder holds a database that this version of PGlite cannot open. */
export class DatabaseFolderError extends SetupError {}

/** PGlite raises its minor version (0.4, 0.5) with the major version of PostgreSQL, whose files are not compatible. */
const line = (version: string): string => version.split(".").slice(0, 2).join(".");

const checkMarker = async (folder: string): Promise<void> => {
  const { pglite } = markerSchema.parse(JSON.parse(await readFile(path.join(folder, MARKER), "utf8")));
  if (line(pglite) === line(pgliteVersion())) return;
  throw new DatabaseFolderError(
    `${folder} was created by PGlite ${pglite}, and PGlite ${pgliteVersion()} may be unable to read it. ` +
      "Install the version of galley-cms that made it, or move the folder away to start with an empty database.",
  );
};

/** Renames a folder without a marker: its creation was interrupted, so it cannot hold data. Keeps it all the same. */
const setAside = async (folder: string): Promise<void> => {
  if (existsSync(folder)) await rename(folder, `${folder}.incomplete-${Date.now()}`);
};

/**
 * Memory for the engine's page cache. PostgreSQL's default of 128 MB would all be touched at startup; pages beyond this
 * come from the operating system's file cache.
 */
const PAGES = "16MB";

/**
 * As on a server. With the default, statements that are planned while their tables are small scan them, and nothing
 * plans them again when the tables have grown.
 */
const TUNED = "random_page_cost=1.1";

/**
 * How much a function of the engine runs before V8 optimises it. With the default, Node 20 optimises thousands of them
 * during startup, which takes longer than startup itself and keeps 30 MB of code.
 */
const OPTIMISED_AFTER = 300_000_000;

const openEngine = async (folder: string) => {
  setFlagsFromString(`--wasm-tiering-budget=${OPTIMISED_AFTER}`);
  const { PGlite } = await import("@electric-sql/pglite");
  const { PrivateFiles } = await import("./private-files.ts");
  const create = (loadDataDir?: Blob) =>
    PGlite.create({
      // Makes the folder if it is missing.
      fs: new PrivateFiles(folder),
      startParams: [...PGlite.defaultStartParams, "-c", `shared_buffers=${PAGES}`, "-c", TUNED],
      ...(loadDataDir ? { loadDataDir } : {}),
    });
  if (existsSync(path.join(folder, MARKER))) {
    await checkMarker(folder);
    return create();
  }
  await setAside(folder);
  await makePrivateFolder(folder);
  const engine = await create(await readSnapshot());
  writePrivateFile(path.join(folder, MARKER), `${JSON.stringify({ pglite: pgliteVersion() })}\n`);
  return engine;
};

/** Whether other users can read the folder, as in those that earlier versions created. */
const isOpenToOthers = async (folder: string): Promise<boolean> =>
  ((await stat(path.join(folder, "PG_VERSION"))).mode & 0o077) !== 0;

/** Milliseconds that a server waits for a command to release the database, and between checks. */
const PATIENCE = 30_000;
const PAUSE = 100;

/** What a process does while another has the lock: servers wait for commands, which end soon. */
const waitFor = (command: string): ((error: DatabaseLockedError) => Promise<void>) => {
  const until = Date.now() + PATIENCE;
  return async (error) => {
    const isPassing = SERVING.has(command) && !SERVING.has(error.command);
    if (!isPassing || Date.now() > until) throw error;
    await wait(PAUSE);
  };
};

/**
 * Opens the embedded database in `folder`, creating it if it is missing. `command` is shown to other processes that
 * find the database locked.
 */
export const openEmbedded = async (folder: string, command: string): Promise<Database> => {
  await makePrivateFolder(path.dirname(folder));
  const lock = await awaitLock(`${folder}.lock`, command, waitFor(command));
  try {
    const engine = await openEngine(folder);
    if (await isOpenToOthers(folder)) await closeToOthers(folder);
    return overPglite(engine, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
};
