/** Opens a project, for a server or for a command that uses its database. */
import { resolve } from "node:path";
import { SetupError } from "../base/thrown.ts";
import type { Config } from "../config/config.ts";
import { resolveSecrets, type Secrets } from "../config/secrets.ts";
import type { Database } from "../database/database.ts";
import { migrationStatus } from "../database/migrations/migrator.ts";
import { openDatabase } from "../database/open.ts";
import type { Application } from "./application.ts";

/** Where the parts of a project come from: its source folder, or the output of `cms build`. */
export interface ProjectSource {
  /** The folder with `.env`, in which the project writes its data. */
  readonly root: string;
  readConfig(): Promise<Config>;
  loadApplication(config: Config): Promise<Application>;
  /** The folder of the migrations. */
  migrations(config: Config): string;
}

export interface Project {
  readonly root: string;
  /** The command that opened it, such as `cms start`. */
  readonly command: string;
  /** The folder of the migrations. */
  readonly migrations: string;
  readonly config: Config;
  readonly secrets: Secrets;
  readonly application: Application;
  readonly database: Database;
}

/** The folder of the generated migrations of the project in `root`. */
export const migrationsFolder = (root: string, { generate }: Pick<Config, "generate">): string =>
  resolve(root, generate.to, "migrations");

const are = (names: readonly string[]): string => `${names.join(", ")} ${names.length === 1 ? "is" : "are"}`;

/**
 * Throws if the database lacks migrations, or (without `allowNewer`) has unknown ones: code must not run with tables
 * other than it expects.
 */
const refuseOtherTables = async (database: Database, folder: string, { allowNewer }: Config["database"]) => {
  const { pending, unknown } = await migrationStatus(database, folder);
  if (pending.length > 0) {
    const names = pending.map(({ name }) => name);
    throw new SetupError(`the database is behind the code: ${are(names)} not applied. Run \`cms migrate\`.`);
  }
  if (unknown.length > 0 && !allowNewer) {
    throw new SetupError(
      `the database is newer than this build: ${are(unknown)} applied and not among its migrations. ` +
        "Start the newer build; --allow-newer or DATABASE_ALLOW_NEWER=true starts this one, where the migration says that older processes go on.",
    );
  }
};

export interface Opening {
  /** Changes the configuration before it is used. Command-line options override everything. */
  readonly adjust?: (config: Config) => Config;
  /** Opens the database by other means than in this process. */
  readonly open?: (config: Config, root: string, command: string) => Promise<Database>;
}

/** With another format, the schema would silently lack operations. */
const refuseOtherFormat = ({ graphqlFormat }: Application, { graphql: { format } }: Config): void => {
  if (graphqlFormat === undefined || graphqlFormat === format) return;
  throw new SetupError(
    `the generated code is for the GraphQL format "${graphqlFormat}", and \`graphql.format\` is "${format}": run \`cms generate\`.`,
  );
};

/**
 * Loads configuration and generated code of a project, and opens its database, which must be fully migrated.
 *
 * @param command the command that this process runs, such as `cms start`; shown to others that find the embedded
 *   database locked
 * @throws SetupError when the project is not ready for it
 */
export const openProject = async (
  source: ProjectSource,
  command: string,
  { adjust = (config) => config, open = openDatabase }: Opening = {},
): Promise<Project> => {
  const { root } = source;
  const config = adjust(await source.readConfig());
  const migrations = source.migrations(config);
  const secrets = resolveSecrets(config, { root, production: process.env.NODE_ENV === "production" });
  const [application, database] = await Promise.allSettled([
    source.loadApplication(config),
    open(config, root, command),
  ]);
  if (database.status === "rejected") throw database.reason;
  try {
    if (application.status === "rejected") throw application.reason;
    refuseOtherFormat(application.value, config);
    await refuseOtherTables(database.value, migrations, config.database);
    return { root, command, migrations, config, secrets, application: application.value, database: database.value };
  } catch (error) {
    await database.value.close();
    throw error;
  }
};
