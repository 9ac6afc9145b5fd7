/** A server for tests of a project: its application on a database in memory, which begins anew for each test. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { createApiToken } from "../../accounts/tokens/token-store.ts";
import { createLogger } from "../../base/log.ts";
import type { Mail } from "../../base/mailer.ts";
import type { Config } from "../../config/config.ts";
import type { HookServices } from "../../documents/hooks.ts";
import type { Documents } from "../../documents/service.ts";
import type { Application } from "../application.ts";
import { bootstrap, destroy } from "../lifecycle.ts";
import { projectFolder } from "../loader/project-folder.ts";
import { createHonoApp } from "../server.ts";
import { closeServices, createServices } from "../start.ts";
import { runTask } from "../tasks.ts";
import { lend } from "./prepared.ts";

/** What a server for tests is started with. */
export interface TestServerOptions {
  /** The folder of the project; the working directory when it is left out. */
  readonly root?: string;
  /** What `generated/index.ts` exports, where the test imports it; else it is loaded as `cms start` loads it. */
  readonly application?: Application;
  /** Whether the seed runs, where there is one. It does by default. */
  readonly seed?: boolean;
  /** Changes the configuration of the project. */
  readonly config?: (config: Config) => Config;
}

/** A server for tests, which is closed at their end. */
export interface TestServer {
  /** Answers a request as the server would: `await request("/api/articles")`. No port is opened. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The document service, with all rights. */
  readonly documents: Documents;
  /** What hooks, handlers and tasks of the project have. */
  readonly services: HookServices;
  /** The mails that were sent so far; none of them leaves. */
  readonly mails: readonly Mail[];
  /** Makes an API token that may do these actions, such as `api::article.article.create`; without any, everything. */
  token(...actions: readonly string[]): Promise<string>;
  /**
   * Runs a task of `app.ts`, which no schedule does here.
   *
   * @throws SetupError when there is none of this name, and whatever the task throws
   */
  runTask(name: string): Promise<void>;
  /** Runs `destroy`, and leaves the database to the next test. */
  close(): Promise<void>;
}

const secrets = { jwt: randomBytes(32).toString("hex"), tokenSalt: randomBytes(32).toString("hex") };

/** Nobody guesses passwords or looks at the log of a test: hashes are quick, and errors alone are told. */
const forTests = (config: Config): Config => ({
  ...config,
  logger: { ...config.logger, level: "error" },
  auth: { ...config.auth, rateLimit: false, passwords: { ...config.auth.passwords, rounds: 4 } },
});

/** Where requests of tests come from. */
const CONNECTION = { incoming: { socket: { remoteAddress: "127.0.0.1" } } };

/**
 * Starts the application of a project on a database in memory, which is migrated, has the declared permissions, and is
 * seeded. The first in a process takes some seconds, later ones with the same options a part of one: they get the database
 * of one that was closed, as it was when it was seeded.
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
    const app = createHonoApp(services, application);
    await bootstrap(application, services);
    return {
      request: async (address, init) => app.request(address, init, CONNECTION),
      documents: services.documents,
      services,
      mails,
      async token(...permissions) {
        const name = `test ${randomBytes(6).toString("hex")}`;
        const type = permissions.length === 0 ? "full-access" : "custom";
        return createApiToken(database, secrets.tokenSalt, { name, type, permissions, expiresAt: null });
      },
      runTask: (name) => runTask(application, services, name),
      async close() {
        await destroy(application, services);
        await closeServices(services);
        await giveBack();
      },
    };
  } catch (error) {
    await giveBack();
    throw error;
  }
};
