/** Starts a server from a configuration, a database and an application. */
import type { Hono } from "hono";
import { createAuth } from "../accounts/auth.ts";
import { accountFollowUps } from "../accounts/follow-ups.ts";
import { createMailer } from "../accounts/mailer.ts";
import { preparePanelRoles } from "../accounts/roles/panel-roles.ts";
import { roleUid } from "../accounts/roles/roles.ts";
import { createBackground } from "../base/background.ts";
import { createLogger, type Logger } from "../base/log.ts";
import type { Mailer } from "../base/mailer.ts";
import type { Config } from "../config/config.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Database } from "../database/database.ts";
import { withDocuments } from "../documents/create-documents.ts";
import type { OwnServices } from "../documents/hooks.ts";
import type { OperationServices } from "../documents/operations/context.ts";
import { createWriteQueue } from "../documents/operations/write-queue.ts";
import { createComponentIds } from "../documents/plan/entries.ts";
import { readHooksIn } from "../documents/read-hooks.ts";
import type { Recorder } from "../documents/recorders.ts";
import { lazyGraphql } from "../graphql/mount.ts";
import type { Turn } from "../http/connections.ts";
import type { AppEnv, Services } from "../http/context.ts";
import { createCacheControl } from "../http/frame/cache-control.ts";
import { createClientAddress, isTrustedPeer } from "../http/frame/client-address.ts";
import { createOutages } from "../http/frame/outages.ts";
import { createReadiness } from "../http/frame/readiness.ts";
import { type Handler, listen, type Listening } from "../http/listen.ts";
import { ResponseCache } from "../http/response-cache/response-cache.ts";
import { createMedia, sweepOnSchedule } from "../media/media.ts";
import { createQueries } from "../query/index.ts";
import { createRegistry } from "../schema/registry.ts";
import { type Observe, observeRequests } from "../telemetry/observe.ts";
import { requestLog } from "../telemetry/request-log.ts";
import { observedDatabase } from "../telemetry/statements.ts";
import { observeStatements, type ServerMetrics, serverMetrics } from "../telemetry/telemetry.ts";
import { tracedServices } from "../telemetry/traced-services.ts";
import { findTracing, type Tracing } from "../telemetry/tracing.ts";
import type { Application } from "./application.ts";
import { drainFeatures, loadOperations, metricSources, openFeatures, startFeatures } from "./features.ts";
import { grantableActions } from "./grantable-actions.ts";
import { demandMigrations, tableCheck } from "./health.ts";
import { hooksIn } from "./hooks-of-all.ts";
import { addOwnServices, bootstrap, demandHealth, destroy } from "./lifecycle.ts";
import { migrationsFolder } from "./project.ts";
import { createHonoApp } from "./server.ts";
import { plannedTasks, type RunningTasks, startTasks } from "./tasks.ts";

export interface Ingredients extends Pick<Services, "examine"> {
  readonly config: Config;
  readonly database: Database;
  readonly application: Application;
  readonly secrets: Secrets;
  /** The folder of the project; the working directory by default. */
  readonly root?: string;
  /** The folder of the migrations; by default the configured one in `root`. */
  readonly migrations?: string;
  /** The command that this process runs, such as `cms start`, for the audit log. */
  readonly command?: string;
  readonly log?: Logger;
  /** Replaces the configured mailer. */
  readonly mailer?: Mailer;
  /** Whether `NODE_ENV` is `production`. */
  readonly production?: boolean;
  /** The turns of the process that accepts the connections, if that is not this one. */
  readonly turn?: Turn;
  /** Creates spans for what the server does. */
  readonly tracing?: Tracing | undefined;
}

/** Creates the services that work on the content, which the application's own services may use. */
const createContent = (
  { config, database, application, secrets, root = ".", mailer, ...others }: Ingredients,
  optional: Pick<OperationServices, "schedules" | "versions">,
) => {
  const { log = createLogger(config.logger), production = isProduction(), tracing } = others;
  const registry = createRegistry(application);
  const { hooks, queries, media } = tracedServices(tracing, {
    hooks: hooksIn(application),
    queries: createQueries(registry, config, secrets.jwt),
    media: createMedia(config, root),
  });
  const own: OwnServices = {};
  return withDocuments({
    config,
    database,
    registry,
    log,
    queries,
    componentIds: createComponentIds(),
    writeQueue: createWriteQueue(config.database),
    hooks,
    readHooks: readHooksIn(hooks, registry),
    followUps: accountFollowUps,
    recorders: new Array<Recorder>(),
    mailer: mailer ?? createMailer(config.email, { production, log }),
    media,
    own,
    ...optional,
  });
};

const isProduction = (): boolean => process.env.NODE_ENV === "production";

/** Creates the services of a server. The database must be migrated; closing the services does not close it. */
export const createServices = async (ingredients: Ingredients): Promise<Services> => {
  const { config, database, application, secrets, root = ".", command } = ingredients;
  const { migrations = migrationsFolder(root, config), production = isProduction() } = ingredients;
  const content = createContent(ingredients, await loadOperations(application));
  const { registry, log } = content;
  await addOwnServices(application, content, content.own);
  const features = await openFeatures(content, application, command);
  const demandTables = tableCheck(database, registry, features);
  const auth = await createAuth({ config, database, registry, secrets, log });
  const actions = grantableActions(application, config);
  const { permissions: declared, panel } = config;
  if (panel && registry.has(roleUid))
    await preparePanelRoles({ ...content, roles: auth.roles, types: panel.roles, actions, declared });
  return {
    ...content,
    secrets,
    auth,
    cacheControl: createCacheControl(config, registry, () => auth.roles),
    responseCache:
      config.cache.enabled && database.snapshot ? new ResponseCache(config, auth, database.snapshot) : undefined,
    actions,
    clientAddress: createClientAddress(config.server.trustedProxies),
    production,
    examine: ingredients.examine,
    features,
    outages: createOutages(log, database),
    background: createBackground(log),
    readiness: createReadiness(async () => {
      await demandMigrations(database, migrations);
      await demandTables();
      await demandHealth(application, content);
    }),
  };
};

/** Stops the background work of the services. */
export const closeServices = async (services: Services): Promise<void> => {
  services.outages.stop();
  await services.background.settled();
  await services.auth.close();
};

export interface RunningServer {
  readonly port: number;
  readonly services: Services;
  /**
   * Serves another version of the project from now on, with the same database. Running requests finish with the old
   * version, which then stops with its tasks. If this rejects, the server continues unchanged.
   */
  replace(next: Pick<Ingredients, "application" | "config">): Promise<void>;
  /** Stops accepting requests, finishes running ones, and stops background work. The database stays open. */
  close(): Promise<void>;
}

interface Served {
  readonly application: Application;
  readonly services: Services;
  readonly app: Hono<AppEnv>;
  readonly tasks: RunningTasks;
  /** Stops the background work of the features. */
  readonly stopFeatures: () => Promise<void>;
  readonly observe: Observe;
}

const observerOf = (
  { config, log, auth, production, features }: Services,
  metrics: ServerMetrics,
  { tracing }: Pick<Ingredients, "tracing">,
): Observe => {
  const own = [requestLog({ config, log, roles: auth.roles, production }), metrics.request];
  return observeRequests({
    requests: [...own, ...features.map(({ request }) => request)].filter((observe) => observe !== undefined),
    trace: tracing?.request,
    isTrusted: isTrustedPeer(config.server.trustedProxies),
  });
};

/** Runs the application's startup code, then creates the request handler. */
const begin = async (
  ingredients: Ingredients,
  metrics: ServerMetrics,
  tasksMayBegin?: Promise<void>,
): Promise<Served> => {
  const { application } = ingredients;
  const services = await createServices(ingredients);
  try {
    const graphql = lazyGraphql(services, application);
    const app = createHonoApp(services, application, graphql);
    // Without extensions the schema is as it was generated, so building it can wait for the first request.
    if (application.app?.register) await graphql();
    await plannedTasks(application);
    await bootstrap(application, services);
    const stopFeatures = await startFeatures(services);
    const tasks = startTasks(application, services, tasksMayBegin);
    return { application, services, app, tasks, stopFeatures, observe: observerOf(services, metrics, ingredients) };
  } catch (error) {
    await closeServices(services);
    throw error;
  }
};

const end = async ({ application, services, tasks, stopFeatures }: Served): Promise<void> => {
  await Promise.all([tasks.stop(), stopFeatures()]);
  await destroy(application, services);
  await closeServices(services);
};

/** Passes requests on to the version that is currently served. */
const handlerOf = (served: () => Served, metrics: ServerMetrics): Handler => ({
  fetch: (request, env) => served().app.fetch(request, env),
  responseCache(incoming, outgoing, pass) {
    const { responseCache } = served().services;
    if (responseCache) responseCache.handle(incoming, outgoing, pass);
    else pass();
  },
  observe(incoming, outgoing, pass) {
    if (!metrics.answer?.(incoming, outgoing)) served().observe(incoming, outgoing, pass);
  },
});

/** The same ingredients with an observed database, and the metrics of the server. */
const observed = async (
  ingredients: Ingredients,
  services: () => Services,
): Promise<{ readonly ingredients: Ingredients; readonly metrics: ServerMetrics }> => {
  const { config, log = createLogger(config.logger) } = ingredients;
  const metrics = await serverMetrics(config, metricSources(ingredients, services));
  const tracing = await findTracing();
  const observe = observeStatements(config, log, [metrics.statement, tracing?.statement]);
  const database = observedDatabase(ingredients.database, observe);
  return { ingredients: { ...ingredients, log, database, tracing }, metrics };
};

/** Listens for requests, and on the metrics port. */
const openPorts = async (served: () => Served, metrics: ServerMetrics, turn?: Turn): Promise<Listening> => {
  const closeMetrics = await metrics.open?.();
  try {
    const { port, close } = await listen(handlerOf(served, metrics), { ...served().services.config.server, turn });
    return { port, close: () => close().finally(closeMetrics) };
  } catch (error) {
    closeMetrics?.();
    throw error;
  }
};

/**
 * Starts serving on `config.server.port` and `host`.
 *
 * @throws SetupError when the port is taken, or the application's `bootstrap` fails
 */
export const startServer = async (given: Ingredients): Promise<RunningServer> => {
  const { ingredients, metrics } = await observed(given, () => served.services);
  let served = await begin(ingredients, metrics);
  let endings: Promise<unknown> = Promise.resolve();
  const listening = await openPorts(() => served, metrics, ingredients.turn).catch(async (error: unknown) => {
    await end(served);
    throw error;
  });
  const stopSweeping = sweepOnSchedule(() => served.services.media, served.services.log);
  return {
    port: listening.port,
    get services() {
      return served.services;
    },
    async replace(next) {
      const before = served;
      let beginTasks: ((stopped: Promise<void>) => void) | undefined;
      const tasksMayBegin = new Promise<void>((resolve) => (beginTasks = resolve));
      served = await begin({ ...ingredients, ...next }, metrics, tasksMayBegin);
      beginTasks?.(before.tasks.stop());
      // Nobody waits for the old version's tasks or its `destroy`.
      endings = Promise.all([endings, end(before)]).catch((error: unknown) => {
        served.services.log.error({ err: error }, "the replaced version could not be stopped");
      });
    },
    async close() {
      stopSweeping();
      served.services.readiness.drain();
      drainFeatures(served.services.features);
      const stopped = served.tasks.stop();
      await listening.close();
      await Promise.all([stopped, endings]);
      await end(served);
    },
  };
};
