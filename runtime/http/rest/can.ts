import type { Hono, MiddlewareHandler } from "hono";
import { ForbiddenError } from "../../base/errors.ts";
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

const isMarked = (handler: object): handler is { [actionOf]: string } =>
  actionOf in handler && typeof handler[actionOf] === "string";

/** The action that a handler checks, if the handler was made by {@link can}. */
export const actionOfHandler = (handler: object): string | undefined =>
  isMarked(handler) ? handler[actionOf] : undefined;

/** The actions that the routes of `app` check. */
export const requiredActions = ({ routes }: Hono<AppEnv>): readonly string[] =>
  routes.flatMap(({ handler }) => actionOfHandler(handler) ?? []);
