import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../../config/config.ts";
import type { Database } from "../database.ts";
import { DatabaseLockedError } from "../lock.ts";
import { openDatabase } from "../open.ts";
import { connectBeside } from "./connect.ts";

/** Commands that serve others once they have started. */
const SERVING: ReadonlySet<string> = new Set(["cms start", "cms dev"]);

/** For how long a server that is just starting is waited for, and how often it is looked for, in milliseconds. */
const PATIENCE = 5000;
const PAUSE = 100;

/**
 * Opens the database of the project in `root` as {@link openDatabase} does; where a server has the embedded one open,
 * through that server.
 *
 * @param own what this process is, such as `cms token list`, and the version of galley-cms
 * @throws SetupError where the database cannot be had, or the server is of another version
 */
export const openBeside = async (
  config: Pick<Config, "database">,
  root: string,
  own: { readonly command: string; readonly version: string },
): Promise<Database> => {
  if (config.database.url !== undefined) return openDatabase(config, root, own.command);
  for (const until = Date.now() + PATIENCE; ; await wait(PAUSE)) {
    const running = await connectBeside(root, own);
    if (running) return running;
    try {
      return await openDatabase(config, root, own.command);
    } catch (error) {
      const isStarting = error instanceof DatabaseLockedError && SERVING.has(error.command);
      if (!isStarting || Date.now() > until) throw error;
    }
  }
};
