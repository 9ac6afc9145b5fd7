import { Hono } from "hono";
import { declaredActions } from "../access/actions.ts";
import type { AppEnv } from "../http/context.ts";
import { requiredActions } from "../http/rest/can.ts";
import type { Application } from "./application.ts";

/**
 * Every action that can be granted: those of the declared types, of the built-in controllers, and of the user's own
 * routes.
 */
export const grantableActions = (application: Application): ReadonlySet<string> => {
  const own = new Hono<AppEnv>();
  for (const extension of Object.values(application.extensions)) extension.routes?.(own);
  return new Set([...declaredActions(application), ...requiredActions(own)]);
};
