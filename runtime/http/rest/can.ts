import type { Hono, MiddlewareHandler } from "hono";
import { ForbiddenError, UnauthorizedError } from "../../base/errors.ts";
import type { AppEnv } from "../context.ts";
import { ownHandler } from "../response-cache/store-answer.ts";

/** The key under which handlers made by `can` store their action, so that routes can list the actions they need. */
const actionOf: unique symbol = Symbol("action");

/**
 * Middleware that lets only callers pass who may do `action`, such as `api::article.article.find`; others get a 403.
 */
export const can = (action: string): MiddlewareHandler<AppEnv> => {
  const check: MiddlewareHandler<AppEnv> = (c, next) => {
    if (!c.get("caller").can(action)) throw new ForbiddenError();
    return next();
  };
  return ownHandler(Object.assign(check, { [actionOf]: action }));
};

/** Handlers that say who may use a route without asking for an action. */
const stating = new WeakSet<object>();

const stated = (handler: MiddlewareHandler<AppEnv>): MiddlewareHandler<AppEnv> => {
  stating.add(handler);
  return handler;
};

/** Middleware that lets users and tokens pass, whatever they may do; others get a 401. */
export const authenticated = (): MiddlewareHandler<AppEnv> =>
  stated((c, next) => {
    if (c.get("caller").kind === "public") throw new UnauthorizedError();
    return next();
  });

/** Middleware that lets everyone pass: the route is open, or its handler checks by itself who asks. */
export const everyone = (): MiddlewareHandler<AppEnv> => stated((_c, next) => next());

const isMarked = (handler: object): handler is { [actionOf]: string } =>
  actionOf in handler && typeof handler[actionOf] === "string";

/** The action that a handler checks, if the handler was made by {@link can}. */
export const actionOfHandler = (handler: object): string | undefined =>
  isMarked(handler) ? handler[actionOf] : undefined;

/** Whether the handler says who may use a route. */
export const statesAccess = (handler: object): boolean =>
  stating.has(handler) || actionOfHandler(handler) !== undefined;

/** The actions that the routes of `app` check. */
export const requiredActions = ({ routes }: Hono<AppEnv>): readonly string[] =>
  routes.flatMap(({ handler }) => actionOfHandler(handler) ?? []);
