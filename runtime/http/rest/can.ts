import type { MiddlewareHandler } from "hono";
import { actionOf } from "../../access/actions.ts";
import { ForbiddenError } from "../../base/errors.ts";
import type { AppEnv } from "../context.ts";

/** Lets only callers pass who may do `action`, such as `api::article.article.find`; others get a 403. */
export const can = (action: string): MiddlewareHandler<AppEnv> => {
  const check: MiddlewareHandler<AppEnv> = (c, next) => {
    if (!c.get("caller").can(action)) throw new ForbiddenError();
    return next();
  };
  return Object.assign(check, { [actionOf]: action });
};
