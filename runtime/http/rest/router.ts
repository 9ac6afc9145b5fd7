/** Routers, and the middleware that says who may use a route. */
import { type Context, Hono, type Next } from "hono";
import type { Caller } from "../../access/caller.ts";
import { ForbiddenError, UnauthorizedError } from "../../base/errors.ts";
import type { AppEnv, RouteEnv } from "../context.ts";
import { ownHandler } from "../frame/answer.ts";

type Answer = Response | void;
type RouteHandler<Path extends string> = (c: Context<AppEnv, Path>, next: Next) => Answer | Promise<Answer>;
type AddRoute = <Path extends string>(path: Path, ...handlers: readonly RouteHandler<Path>[]) => Router;

/**
 * The part of Hono's router that route files need. Hono's own type grows with every route for its typed client: in a
 * project with 100 content types that takes most of the compiler's memory, and nothing here uses it.
 */
export interface Router extends Pick<Hono<AppEnv>, "routes"> {
  readonly get: AddRoute;
  readonly post: AddRoute;
  readonly put: AddRoute;
  readonly delete: AddRoute;
}

/** An empty router; generated files chain their routes onto it. */
export const router = (): Router => new Hono<AppEnv>();

/** Adds routes, such as those of a router, below a path. */
export const mount = (
  app: Hono<AppEnv>,
  prefix: string,
  { routes }: { readonly routes: readonly Router["routes"][number][] },
): void => {
  const below = app.basePath(prefix);
  for (const { method, path, handler } of routes) below.on(method, path, handler);
};

/** The key under which handlers made by `can` store their action, so that routes can list the actions they need. */
const actionOf: unique symbol = Symbol("action");

/** Middleware for routes of the runtime and of the application, whose contexts have different types. */
type Guard = (c: { readonly var: { readonly caller: Caller } }, next: Next) => Promise<void>;

/**
 * Middleware that lets only callers pass who may do `action`, such as `api::article.article.find`; others get a 403.
 */
export const can = (action: string): Guard => {
  const check: Guard = (c, next) => {
    if (!c.var.caller.can(action)) throw new ForbiddenError();
    return next();
  };
  return ownHandler(Object.assign(check, { [actionOf]: action }));
};

/** Handlers that say who may use a route without requiring an action. */
const stating = new WeakSet<object>();

const stated = (handler: Guard): Guard => {
  stating.add(handler);
  return handler;
};

/** Middleware that lets users and tokens pass, whatever they may do; others get a 401. */
export const authenticated = (): Guard =>
  stated((c, next) => {
    if (c.var.caller.kind === "public") throw new UnauthorizedError();
    return next();
  });

/** Middleware that lets everyone pass: the route is open, or its handler checks the caller itself. */
export const everyone = (): Guard => stated((_c, next) => next());

const isMarked = (handler: object): handler is { [actionOf]: string } =>
  actionOf in handler && typeof handler[actionOf] === "string";

/** The action that a handler checks, if the handler was made by {@link can}. */
export const actionOfHandler = (handler: object): string | undefined =>
  isMarked(handler) ? handler[actionOf] : undefined;

/** Whether the handler says who may use a route. */
export const statesAccess = (handler: object): boolean =>
  stating.has(handler) || actionOfHandler(handler) !== undefined;

/** The actions that the routes of `app` check. */
export const requiredActions = ({ routes }: Hono<RouteEnv>): readonly string[] =>
  routes.flatMap(({ handler }) => actionOfHandler(handler) ?? []);
