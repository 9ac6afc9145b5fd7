/** A project on disk, opened for a server or for a command that works on its data. */
import { join } from "node:path";
import type { Application } from "./application.ts";
import type { Secrets } from "./auth/auth.ts";
import { loadConfig } from "./config-load.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import { openDatabase } from "./database/open.ts";
import { loadApplication } from "./loader/load-application.ts";
import { resolveSecrets } from "./secrets.ts";

export interface Project {
  readonly root: string;
  readonly config: Config;
  readonly secrets: Secrets;
  readonly application: Application;
  readonly database: Database;
}

/** Where the generated migrations of the project in `root` are. */
export const migrationsFolder = (root: string, { generate }: Pick<Config, "generate">): string =>
  join(root, generate.to, "migrations");

/**
 * Loads configuration and generated code of the project in `root`, and opens its database.
 *
 * @param command what other processes are told that holds the embedded database, such as `cms start`
 * @param adjust changes the configuration before it is used: options of a command line win over everything
 * @throws SetupError when the project is not ready for it
 */
export const openProject = async (
  root: string,
  command: string,
  adjust: (config: Config) => Config = (config) => config,
): Promise<Project> => {
  const config = adjust(await loadConfig(root));
  const secrets = resolveSecrets(config, { root, production: process.env.NODE_ENV === "production" });
  // Opening the database takes longest; the code loads meanwhile.
  const opening = openDatabase(config, root, command);
  try {
    const application = await loadApplication(root, config.generate.to);
    return { root, config, secrets, application, database: await opening };
  } catch (error) {
    await opening.then(
      (database) => database.close(),
      () => {},
    );
    throw error;
  }
};
