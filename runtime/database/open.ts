import path from "node:path";
import type { Config } from "../config.ts";
import type { Database } from "./database.ts";

/**
 * Opens the database of the project in `root`: the PostgreSQL at `database.url` (set by `DATABASE_URL`), or the embedded
 * one below `.cms/data`. Only the driver that is needed is loaded.
 *
 * @param command what other processes are told that holds the embedded database, such as `cms dev`
 */
export const openDatabase = async (
  { database }: Pick<Config, "database">,
  root: string,
  command = "cms",
): Promise<Database> => {
  if (database.url !== undefined) {
    const { openPostgres } = await import("./postgres.ts");
    return openPostgres(database.url, database.pool);
  }
  const { openEmbedded } = await import("./embedded.ts");
  return openEmbedded(path.join(root, ".cms", "data"), command);
};
