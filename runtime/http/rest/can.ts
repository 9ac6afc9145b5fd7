import type { Hono, MiddlewareHandler } from "hono";
import { ForbiddenError } from "../../base/errors.ts";
import type { AppEnv } from "../context.ts";

/** What is attached to the handlers that `can` makes, so that routes tell which actions they need. */
const actionOf: unique symbol = Symbol("action");

/** Lets only callers pass who may do `action`, such as `api::article.article.find`; others get a 403. */
export const can = (action: string): MiddlewareHandler<AppEnv> => {
  const check: MiddlewareHandler<AppEnv> = (c, next) => {
    if (!c.get("caller").can(action)) throw new ForbiddenError();
    return next();
  };
  return Object.assign(check, { [actionOf]: action });
};

const isMarked = (handler: object): handler is { [actionOf]: string } =>
  actionOf in handler && typeof handler[actionOf] === "string";

/** The action that a handler asks for, when it is one that {@link can} made. */
export const actionOfHandler = (handler: object): string | undefined =>
  isMarked(handler) ? handler[actionOf] : undefined;

/** The actions that the routes of `app` ask for. */
export const requiredActions = ({ routes }: Hono<AppEnv>): readonly string[] =>
  routes.flatMap(({ handler }) => actionOfHandler(handler) ?? []);
