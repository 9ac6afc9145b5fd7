/** A server for a project's tests: its application with an in-memory database, which is reset for each test. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { createApiToken } from "../../accounts/api-tokens.ts";
import { createLogger } from "../../base/log.ts";
import type { Mail } from "../../base/mailer.ts";
import type { Config } from "../../config/config.ts";
import type { Db } from "../../database/drizzle.ts";
import type { HookServices } from "../../documents/hooks.ts";
import type { Documents } from "../../documents/service.ts";
import type { Services } from "../../http/context.ts";
import type { Application } from "../application.ts";
import { bootstrap, destroy } from "../lifecycle.ts";
import { projectFolder } from "../loader/project-folder.ts";
import { createHonoApp } from "../server.ts";
import { closeServices, createServices } from "../start.ts";
import { runTask } from "../tasks.ts";
import { lend } from "./prepared.ts";

/** Options of a test server. */
export interface TestServerOptions {
  /** The folder of the project; the working directory by default. */
  readonly root?: string;
  /** The export of `generated/index.ts`, if the test imports it; by default it is loaded as by `cms start`. */
  readonly application?: Application;
  /** Whether to run the seed, if there is one; true by default. */
  readonly seed?: boolean;
  /** Changes the configuration of the project. */
  readonly config?: (config: Config) => Config;
}

/** A server for tests. Close it at their end. */
export interface TestServer {
  /** Answers a request like the real server, but without a port: `await request("/api/articles")`. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The document service, with all rights. */
  readonly documents: Documents;
  /** A Drizzle database, for tables of the project. */
  readonly db: Db;
  /** The services that hooks, handlers and tasks of the project get. */
  readonly services: HookServices;
  /** The mails so far, which are not really sent. */
  readonly mails: readonly Mail[];
  /**
   * Creates an API token with permission for these actions, such as `api::article.article.create`; by default for all
   * actions.
   */
  token(...actions: readonly string[]): Promise<string>;
  /**
   * Runs a task of `app.ts`. No task runs on schedule here.
   *
   * @throws SetupError when there is no task with this name; errors of the task
   */
  runTask(name: string): Promise<void>;
  /** Runs `destroy`, and makes the database available to the next test. Further calls do nothing. */
  close(): Promise<void>;
}

const secrets = { jwt: randomBytes(32).toString("hex"), tokenSalt: randomBytes(32).toString("hex") };

/** Settings for tests: fast password hashes, since nobody attacks them, and only errors in the log. */
const forTests = (config: Config): Config => ({
  ...config,
  logger: { ...config.logger, level: "error" },
  auth: { ...config.auth, rateLimit: false, passwords: { ...config.auth.passwords, rounds: 4 } },
});

/** The connection from which requests of tests come. */
const CONNECTION = { incoming: { headers: {}, socket: { remoteAddress: "127.0.0.1" } } };

/**
 * Starts the application of a project with an in-memory database that is migrated and seeded, with the declared
 * permissions. The first start in a process takes some seconds. Later ones with the same options take a fraction of
 * that: they get the database of a closed server, reset to its state after seeding.
 *
 * @throws SetupError when the project is not ready: its code is not generated, or its seed or `bootstrap` fails
 */
export const createTestServer = async ({
  root = process.cwd(),
  seed = true,
  config: adjust = (config) => config,
  ...given
}: TestServerOptions = {}): Promise<TestServer> => {
  const source = projectFolder(path.resolve(root));
  const config = adjust(forTests(await source.readConfig()));
  const application = given.application ?? (await source.loadApplication(config));
  const mails: Mail[] = [];
  const common = {
    config,
    application,
    secrets,
    migrations: source.migrations(config),
    log: createLogger(config.logger),
    mailer: { send: async (mail: Mail) => void mails.push(mail) },
    production: false,
  };
  const hasSeed = existsSync(path.join(source.root, config.generate.from, "seed", "index.ts"));
  const { database, folder, giveBack } = await lend({ ...common, project: source.root, seed: seed && hasSeed });
  mails.length = 0;
  try {
    const services = await createServices({ ...common, database, root: folder });
    await bootstrap(application, services).catch(async (error: unknown) => {
      await closeServices(services);
      throw error;
    });
    return testServer({ application, services, mails, giveBack });
  } catch (error) {
    await giveBack();
    throw error;
  }
};

interface Started extends Pick<TestServer, "mails"> {
  readonly application: Application;
  readonly services: Services;
  /** Makes the database available to the next test. */
  giveBack(): Promise<void>;
}

const testServer = ({ application, services, mails, giveBack }: Started): TestServer => {
  const app = createHonoApp(services, application);
  const end = async (): Promise<void> => {
    try {
      await destroy(application, services);
      await closeServices(services);
    } finally {
      await giveBack();
    }
  };
  let ended: Promise<void> | undefined;
  return {
    request: async (address, init) => app.request(address, init, CONNECTION),
    documents: services.documents,
    db: services.db,
    services,
    mails,
    async token(...permissions) {
      const name = `test ${randomBytes(6).toString("hex")}`;
      const type = permissions.length === 0 ? "full-access" : "custom";
      return createApiToken(services.database, secrets.tokenSalt, { name, type, permissions, expiresAt: null });
    },
    runTask: (name) => runTask(application, services, name),
    close: () => (ended ??= end()),
  };
};
