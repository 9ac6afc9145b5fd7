import type { Hono, Next } from "hono";
import type { Caller } from "../../access/caller.ts";
import { ForbiddenError, UnauthorizedError } from "../../base/errors.ts";
import type { RouteEnv } from "../context.ts";
import { ownHandler } from "../frame/answer.ts";

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
