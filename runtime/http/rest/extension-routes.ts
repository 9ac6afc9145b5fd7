/** Routes that extensions add, each of which says who may use it. */
import { Hono } from "hono";
import { findTargetHandler, isMiddleware } from "hono/utils/handler";
import { SetupError } from "../../base/thrown.ts";
import type { AppEnv, RouteEnv } from "../context.ts";
import { requestServices } from "../frame/client.ts";
import { statesAccess } from "./router.ts";

type Route = Hono<RouteEnv>["routes"][number];

/** The method of handlers for all methods, such as those of `use`. */
const ALL = "ALL";

/** Whether everything that reaches `path` has passed a handler at `pattern`. */
const covers = (pattern: string, path: string): boolean =>
  pattern === path || (pattern.endsWith("*") && `${path}/`.startsWith(pattern.slice(0, -1)));

/** Whether a handler at the same place, or one that runs before, says who may use the route. */
const isStated = (route: Route, before: readonly Route[]): boolean =>
  [...before, route].some(
    ({ method, path, handler }) =>
      (method === route.method || method === ALL) &&
      covers(path, route.path) &&
      statesAccess(findTargetHandler(handler)),
  );

/** Middleware that only passes requests on is not a route. */
const isRoute = ({ method, handler }: Route): boolean => method !== ALL || !isMiddleware(handler);

const unstated = ({ routes }: Hono<RouteEnv>): ReadonlySet<string> => {
  const lasts = new Map(routes.map((route, index) => [`${route.method} ${route.path}`, index]));
  const ends = [...lasts.values()].filter((index) => {
    const route = routes[index];
    return route !== undefined && isRoute(route) && !isStated(route, routes.slice(0, index));
  });
  return new Set(ends.map((index) => `${routes[index]?.method} ${routes[index]?.path}`));
};

/**
 * The routes of the extension of a type.
 *
 * @throws SetupError when one of them does not say who may use it
 */
export const extensionRoutes = (
  uid: string,
  extension: { routes?(router: Hono<RouteEnv>): void } | undefined,
): Hono<RouteEnv> => {
  const own = new Hono<RouteEnv>();
  extension?.routes?.(own);
  const open = [...unstated(own)];
  if (open.length === 0) return own;
  throw new SetupError(
    `extension.ts of ${uid} does not say who may use ${open.join(", ")}. Before the handler of each, put can("${uid}.…") for a permission, authenticated() for users and tokens, or everyone(), all of galley-cms/rest.`,
  );
};

/** The same routes, for a server: what they read, and the lines that they log, belong to their request. */
export const observedRoutes = (own: Hono<RouteEnv>): Hono<AppEnv> => {
  const all = new Hono<AppEnv>();
  // Requests that write have services of their own already.
  const reads = own.routes.filter((route) => route.method === "GET" || (route.method === ALL && isRoute(route)));
  for (const path of new Set(reads.map((route) => route.path)))
    all.get(path, (c, next) => {
      c.set("services", requestServices(c));
      return next();
    });
  return all.route("/", own);
};
