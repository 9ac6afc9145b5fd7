/** From configuration, database and application to a server that answers. */
import type { Application } from "./application.ts";
import { createAuth, type Secrets } from "./auth/auth.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import { createLogger, type Logger } from "./log.ts";
import { createRegistry } from "./registry.ts";
import { createApp, listen } from "./server.ts";
import type { Services } from "./services.ts";

export interface Ingredients {
  readonly config: Config;
  readonly database: Database;
  readonly application: Application;
  readonly secrets: Secrets;
  readonly log?: Logger;
}

/** Puts the services of one server together. The database must be migrated; it stays open when the services close. */
export const createServices = async ({
  config,
  database,
  application,
  secrets,
  log,
}: Ingredients): Promise<Services> => {
  const registry = createRegistry(application);
  const logger = log ?? createLogger(config.logger);
  const auth = await createAuth({ config, database, registry, secrets, log: logger });
  return { config, database, registry, log: logger, auth };
};

/** Ends what the services do in the background. */
export const closeServices = async (services: Services): Promise<void> => {
  await services.auth.close();
};

export interface RunningServer {
  readonly port: number;
  readonly services: Services;
  /** Stops accepting, finishes what runs, ends background work. The database stays open. */
  close(): Promise<void>;
}

/** Starts to serve on `config.server.port` and `host`. */
export const startServer = async (ingredients: Ingredients): Promise<RunningServer> => {
  const services = await createServices(ingredients);
  const listening = await listen(createApp(services), services.config.server);
  return {
    port: listening.port,
    services,
    async close() {
      await listening.close();
      await closeServices(services);
    },
  };
};
