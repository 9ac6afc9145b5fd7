/** Builds the HTTP application. */
import { Hono, type MiddlewareHandler } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { roleUid } from "../accounts/roles/roles.ts";
import { userUid } from "../accounts/users/user-store.ts";
import { UnauthorizedError } from "../base/errors.ts";
import { lazyGraphql, type LoadGraphql, mountGraphql } from "../graphql/mount.ts";
import { authRoutes } from "../http/accounts/auth-routes.ts";
import { connectRoutes } from "../http/accounts/connect-routes.ts";
import { roleRoutes } from "../http/accounts/role-routes.ts";
import { userRoutes } from "../http/accounts/user-routes.ts";
import type { AppEnv, Services } from "../http/context.ts";
import { completeHeaders, isAnswer, ownHandler } from "../http/frame/answer.ts";
import { bodyParser } from "../http/frame/body.ts";
import { clientOf, withOrigin } from "../http/frame/client.ts";
import { createCors } from "../http/frame/cors.ts";
import { noAnswer, onError, onNotFound, onThrown } from "../http/frame/failure.ts";
import { createPathReader, demandDecodable } from "../http/frame/path.ts";
import { createRouteTable, routeOf, type RouteTable } from "../http/frame/routes.ts";
import { fileRoutes, mediaRoutes } from "../http/media/routes.ts";
import { changedRoutes } from "../http/rest/custom.ts";
import { extensionRoutes, observedRoutes } from "../http/rest/extension-routes.ts";
import { localeRoutes } from "../http/rest/locales.ts";
import { mount, type Router } from "../http/rest/router.ts";
import { schemaRoutes } from "../http/rest/schema-routes.ts";
import type { Uid } from "../schema/content-type.ts";
import { recordOf } from "../telemetry/request-record.ts";
import type { Application } from "./application.ts";
import { mountHome } from "./home.ts";
import { mountOpenapi } from "./openapi.ts";
import { panelRoutes } from "./panel/routes.ts";

/** Middleware that gives each request its services and each response its headers, and answers preflights. */
const frame = (services: Services): MiddlewareHandler<AppEnv> => {
  const cors = createCors(services.config);
  return async (c, next) => {
    c.set("services", services);
    c.set("client", clientOf(c, services));
    const origin = c.req.header("origin");
    const isPreflight = origin !== undefined && c.req.header("access-control-request-method") !== undefined;
    const isOptions = c.req.method === "OPTIONS";
    if (isOptions && isPreflight) {
      return c.body(null, 204, cors.preflight(origin, c.req.header("access-control-request-headers")));
    }
    const answered = origin === undefined ? cors.withoutOrigin : cors.headers(origin);
    const headers = isOptions ? cors.plain : answered;
    c.set("headers", headers);
    const record = recordOf(c.env?.incoming);
    if (record) record.route = routeOf(c);
    try {
      demandDecodable(c.req.url);
      await next();
    } catch (thrown) {
      c.res = onThrown(services, thrown, c);
    }
    if (record) record.caller = c.get("caller");
    if (!isAnswer(c)) c.res = noAnswer(services, c);
    completeHeaders(c, headers);
    return undefined;
  };
};

/** Middleware that determines the caller. Invalid credentials are ignored on paths without routes. */
const authentication =
  (services: Services, routes: () => RouteTable): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    try {
      const caller = services.auth.authenticate(c.req.header("authorization"), c.get("client"));
      c.set("caller", withOrigin(c, caller instanceof Promise ? await caller : caller));
    } catch (error) {
      const known = routes().has(c.req.method, c.req.path);
      if (known || !(error instanceof UnauthorizedError)) throw error;
    }
    return next();
  };

/** Mounts the routes. The user's own come before the generated ones, so that they can replace them. */
const mountContent = (
  app: Hono<AppEnv>,
  { config, registry, features }: Services,
  { contentTypes, extensions, app: whole = {} }: Application,
): void => {
  const mountOf = (uid: Uid, routes: Router): void => {
    const { rest: own = {} } = extensions[uid] ?? {};
    const { rest: all = {}, policies: registered = {} } = whole;
    const file = `extension.ts of ${uid}`;
    mount(app, config.rest.prefix, { routes: changedRoutes(routes, { own, all, registered, file }) });
  };
  for (const [uid, extension] of Object.entries(extensions))
    app.route(config.rest.prefix, observedRoutes(extensionRoutes(uid, extension)));
  if (registry.has(userUid)) {
    for (const routes of [authRoutes, connectRoutes]) mount(app, config.rest.prefix, routes);
    mountOf(userUid, userRoutes);
    mountOf(roleUid, roleRoutes);
  }
  app.route(config.rest.prefix, mediaRoutes());
  mount(app, config.rest.prefix, localeRoutes);
  mount(app, config.rest.prefix, schemaRoutes);
  if (config.panel) mount(app, config.rest.prefix, panelRoutes(config.panel));
  for (const { routes } of features) if (routes) mount(app, config.rest.prefix, routes);
  for (const { type, routes } of Object.values(contentTypes)) if (routes) mountOf(type.uid, routes);
};

/** Builds the application that answers requests. It needs no port: `app.request("/api/articles")`. */
export const createHonoApp = (
  services: Services,
  application: Application,
  graphql: LoadGraphql = lazyGraphql(services, application),
): Hono<AppEnv> => {
  const { config } = services;
  const paths = createPathReader();
  // Hono's default would also choose this router, but tries another one first, which does not support all our paths.
  const app = new Hono<AppEnv>({ router: new TrieRouter(), getPath: (request) => paths.read(request) });
  let table: RouteTable | undefined;
  const routes = (): RouteTable => (table ??= createRouteTable(app));

  app.onError(onError(services));
  app.notFound((c) => onNotFound(c, routes()));
  app.use(ownHandler(frame(services)));
  app.all("/_health", (c) => c.body(null, 204, { strapi: "You are so French!" }));
  app.get("/_health/ready", async (c) => {
    await services.readiness.check();
    return c.body(null, 204);
  });
  mountHome(app, services, application);
  mountOpenapi(app, services, application);
  const guards = [ownHandler(authentication(services, routes)), ownHandler(bodyParser(config))];
  app.use(`${config.rest.prefix}/*`, ...guards);
  mountGraphql(app, services, { load: graphql, guards });
  app.route("/", fileRoutes());
  mountContent(app, services, application);

  paths.learn(app);
  return app;
};
