import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../../config/config.ts";
import type { Database } from "../database.ts";
import { DatabaseLockedError, SERVING } from "../embedded/lock.ts";
import { openDatabase } from "../open.ts";
import { connectToServer } from "./client.ts";

/** Milliseconds to wait for a server that is just starting, and between two tries to reach it. */
const PATIENCE = 5000;
const PAUSE = 100;

/**
 * Opens the database of the project in `root` as {@link openDatabase} does; if a server has the embedded database open,
 * goes through that server.
 *
 * @param own the command that this process runs, such as `cms token list`, and the version of galley-cms
 * @throws SetupError when the database cannot be opened, or the server is of another version
 */
export const openOrConnect = async (
  config: Pick<Config, "database">,
  root: string,
  own: { readonly command: string; readonly version: string },
): Promise<Database> => {
  if (config.database.url !== undefined) return openDatabase(config, root, own.command);
  for (const until = Date.now() + PATIENCE; ; await wait(PAUSE)) {
    const running = await connectToServer(root, own);
    if (running) return running;
    try {
      return await openDatabase(config, root, own.command);
    } catch (error) {
      const isStarting = error instanceof DatabaseLockedError && SERVING.has(error.command);
      if (!isStarting || Date.now() > until) throw error;
    }
  }
};
