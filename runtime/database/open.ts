import path from "node:path";
import { SetupError } from "../base/setup-error.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "./database.ts";

/** Names the server without the password that its address carries. */
const unreachable = (url: string, error: unknown): SetupError => {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: "", pathname: "" };
  const reason = error instanceof Error ? error.message : String(error);
  return new SetupError(`the database ${host}${pathname} of DATABASE_URL cannot be used: ${reason}`, { cause: error });
};

const openExternal = async (config: Config["database"] & { url: string }): Promise<Database> => {
  const { url, replicas, pool } = config;
  const { openPostgres } = await import("./postgres.ts");
  const { withReplicas } = await import("./replicas.ts");
  const primary = await openPostgres(url, pool, config).catch((error: unknown) => {
    throw error instanceof SetupError ? error : unreachable(url, error);
  });
  return replicas.length > 0 ? withReplicas(primary, replicas, pool, config) : primary;
};

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
    return openExternal({ ...database, url: database.url });
  }
  const { openEmbedded } = await import("./embedded.ts");
  return openEmbedded(path.join(root, ".cms", "data"), command);
};
