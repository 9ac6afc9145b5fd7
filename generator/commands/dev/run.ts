import { join } from "node:path";
import { loadApplication } from "../../../runtime/app/loader/load-application.ts";
import { migrationsFolder } from "../../../runtime/app/project.ts";
import { type RunningServer, startServer } from "../../../runtime/app/start.ts";
import { createLogger } from "../../../runtime/base/log.ts";
import { SetupError } from "../../../runtime/base/setup-error.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { loadConfig } from "../../../runtime/config/load.ts";
import { resolveSecrets } from "../../../runtime/config/secrets.ts";
import { serveBeside } from "../../../runtime/database/beside/serve.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrator.ts";
import { openDatabase } from "../../../runtime/database/open.ts";
import { announce } from "../announce.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { printOutcome } from "../generate/outcome.ts";
import { openSources, type Project } from "../generate/project.ts";
import { ownOnly } from "../generate/replaceable.ts";
import { generate } from "../generate/run.ts";
import { namesIn } from "../migrate/applied.ts";
import { noteApplied } from "../migrate/noted.ts";
import { squash } from "../migrate/squash.ts";
import { onEveryChange } from "../on-every-change.ts";
import { packageVersion } from "../package-version.ts";
import { withPort } from "../port-option.ts";
import { err, out } from "../terminal.ts";
import { endAfter } from "../until-stopped.ts";

const NAME = "cms dev";

interface State {
  readonly root: string;
  readonly database: Database;
  readonly port: number | undefined;
  /** Undefined until everything was right once. */
  server: RunningServer | undefined;
}

/** Brings generated code and database to what the schema files say; false when they are wrong. */
const prepare = async ({ root, database }: State, config: Config): Promise<boolean> => {
  const project = await openSources(root, undefined);
  const ask = async () => ({ names: new Set(await namesIn(database)) });
  const outcome = await generate(project, {}, { ask });
  printOutcome({ ...outcome, note: undefined }, project);
  if (outcome.exitCode !== exitCodes.fine) return false;
  const folder = migrationsFolder(root, config);
  const names = await migrate(database, folder);
  for (const name of names) process.stdout.write(`migrated: ${name}\n`);
  noteApplied(root, names);
  if (names.length > 0) await keepOne(project, database, folder);
  return true;
};

/** A branch has one migration, however often its schema files were saved. */
const keepOne = async (project: Project, database: Database, folder: string): Promise<void> => {
  const applied = new Set(await namesIn(database));
  const squashed = await squash(project, applied, (newest) => ownOnly(project, newest));
  if ("reason" in squashed) return;
  await migrate(database, folder);
  noteApplied(project.root, squashed.name === undefined ? [] : [squashed.name]);
  process.stdout.write(`one migration of ${squashed.replaced.length}: ${squashed.name ?? "none is left"}\n`);
};

/** Starts the server, or lets the running one go on with the new state. */
const serve = async (state: State, config: Config): Promise<void> => {
  const { root, database, server } = state;
  const application = await loadApplication(root, config.generate.to);
  if (server) {
    await server.replace({ application, config });
    process.stdout.write(`${out.green("reloaded")}\n`);
    return;
  }
  const secrets = resolveSecrets(config, { root, production: process.env.NODE_ENV === "production" });
  state.server = await startServer({ root, config, database, application, secrets });
  announce(state.server);
};

/** One round; what is wrong is printed, and the server that runs goes on as it was. */
const round = async (state: State): Promise<void> => {
  try {
    const config = withPort(state.port)(await loadConfig(state.root));
    if (await prepare(state, config)) await serve(state, config);
  } catch (error) {
    if (!(error instanceof SetupError || error instanceof CommandError)) throw error;
    process.stderr.write(`${err.red("error")} ${error.message}\n`);
  }
};

/** Code and schemas; what the editor keeps beside them is not ours. */
const concerns = (path: string): boolean => /\.(?:json|ts|mts|js|mjs)$/.test(path);

/** Runs until the process is told to end. */
export const runDevelopment = async (root: string, port: number | undefined): Promise<void> => {
  const config = await loadConfig(root);
  const database = await openDatabase(config, root, NAME);
  const log = createLogger(config.logger);
  const beside = await serveBeside(database, { root, version: packageVersion(), command: NAME, log });
  const state: State = { root, database, port, server: undefined };
  try {
    const paths = [
      join(root, config.generate.from),
      ...["ts", "mts", "js", "mjs"].map((end) => join(root, `cms.config.${end}`)),
    ];
    await onEveryChange({ paths, concerns, run: () => round(state) });
  } finally {
    endAfter(config.server.shutdownSeconds);
    await state.server?.close();
    await beside.close();
    await database.close();
  }
};
