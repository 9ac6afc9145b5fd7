import path from "node:path";
import { ServiceUnavailableError } from "../base/errors.ts";
import { hasCode, messageOf, SetupError } from "../base/thrown.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "./database.ts";

const SILENT = "The server does not answer: correct the host and port in DATABASE_URL, or open the firewall";

/** How to fix a connection error, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "No server listens there: start PostgreSQL, or correct the host and port in DATABASE_URL",
  ENOTFOUND: "There is no such host: correct it in DATABASE_URL",
  EAI_AGAIN: "The host was not found: correct it in DATABASE_URL, or look at the name server",
  ETIMEDOUT: SILENT,
  CONNECT_TIMEOUT: SILENT,
  "3D000": "Create the database (create database NAME), or correct its name in DATABASE_URL",
  "28000": "Correct the user in DATABASE_URL, or let the user log in",
  "28P01": "Correct the user and password in DATABASE_URL",
};

/** The error for a server that cannot be reached. Names the server without the password in its address. */
const unreachable = (url: string, error: unknown): SetupError => {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: "", pathname: "" };
  const cause = error instanceof ServiceUnavailableError ? (error.cause ?? error) : error;
  const remedy = Object.entries(REMEDIES).find(([code]) => hasCode(cause, code))?.[1];
  const reason = [messageOf(cause), ...(remedy === undefined ? [] : [`${remedy}.`])].join(". ");
  return new SetupError(`the database ${host}${pathname} of DATABASE_URL cannot be used: ${reason}`, { cause: error });
};

/** Client names that mean PostgreSQL in the configuration of Strapi projects. */
const POSTGRES: ReadonlySet<string> = new Set(["postgres", "postgresql", "pg"]);

const refuseForeign = ({ client, url }: Config["database"]): void => {
  const advice = "Content is kept in PostgreSQL: set DATABASE_URL to postgres://user:password@host:5432/name.";
  if (!POSTGRES.has(client)) throw new SetupError(`DATABASE_CLIENT (database.client) is "${client}". ${advice}`);
  if (url === undefined || /^postgres(?:ql)?:\/\//i.test(url)) return;
  const scheme = /^[a-z][\w+.-]*(?=:)/i.exec(url)?.[0];
  throw new SetupError(
    `DATABASE_URL (database.url) is ${scheme === undefined ? "no address" : `an address of "${scheme}"`}. ${advice}`,
  );
};

/** Refuses a database of Strapi, whose tables may have the same names as ours. */
const refuseStrapi = async (database: Database, url: string): Promise<void> => {
  const [row] = await database.rows(
    "select to_regclass('strapi_core_store_settings') is not null and to_regclass('galley_migrations') is null",
  );
  if (row?.[0] !== true) return;
  throw new SetupError(
    `the database ${new URL(url).pathname.slice(1)} of DATABASE_URL belongs to Strapi, which has different tables. ` +
      "Nothing was changed. Create an empty database beside it, set DATABASE_URL to that one and run `cms migrate`.",
  );
};

const openExternal = async (config: Config["database"] & { url: string }): Promise<Database> => {
  const { url, replicas, pool } = config;
  const { openPostgres } = await import("./postgres/postgres.ts");
  const { withReplicas } = await import("./postgres/replicas.ts");
  const primary = await openPostgres(url, pool, config).catch((error: unknown) => {
    throw error instanceof SetupError ? error : unreachable(url, error);
  });
  try {
    await refuseStrapi(primary, url);
  } catch (error) {
    await primary.close();
    throw error;
  }
  return replicas.length > 0 ? withReplicas(primary, replicas, pool, config) : primary;
};

const isMissing = (error: unknown): boolean => hasCode(error, "ERR_MODULE_NOT_FOUND");

/** Loads the embedded database's driver. A build by `cms build` includes it only if asked to. */
const loadEmbedded = async () => {
  try {
    return await import("./embedded/embedded.ts");
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new SetupError(
      "the embedded database is not installed here: set DATABASE_URL, or build with `cms build --embedded`",
      { cause: error },
    );
  }
};

/**
 * Opens the database of the project in `root`: the PostgreSQL server at `database.url` (set by `DATABASE_URL`), or the
 * embedded one in `.cms/data`. Loads only the driver that is needed.
 *
 * @param command the command that this process runs, such as `cms dev`; shown to others that find the embedded database
 *   locked
 * @param production whether `NODE_ENV` is `production`; the embedded database must then be asked for explicitly
 * @throws SetupError for a database that belongs to Strapi, or one that cannot be reached
 */
export const openDatabase = async (
  { database }: Pick<Config, "database">,
  root: string,
  command = "cms",
  production = process.env.NODE_ENV === "production",
): Promise<Database> => {
  refuseForeign(database);
  if (database.url !== undefined) return openExternal({ ...database, url: database.url });
  if (production && !database.embedded) {
    throw new SetupError(
      "DATABASE_URL is not set. In production the embedded database has to be asked for, since its folder .cms/data goes " +
        "with the container that holds it: set DATABASE_EMBEDDED=true (or database.embedded: true) where that folder is kept.",
    );
  }
  const { openEmbedded } = await loadEmbedded();
  return openEmbedded(path.join(root, ".cms", "data"), command);
};
