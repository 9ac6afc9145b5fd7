import { declaredActions, type Optional, optionalActions } from "../access/actions.ts";
import { extensionRoutes } from "../http/rest/extension-routes.ts";
import { requiredActions } from "../http/rest/router.ts";
import type { Application } from "./application.ts";

/**
 * Every action that can be granted: those of the declared types, of the built-in controllers, of features that the
 * configuration enables, and of the user's own routes.
 */
export const grantableActions = (application: Application, config: Optional): ReadonlySet<string> => {
  const own = Object.entries(application.extensions).map(([uid, extension]) => extensionRoutes(uid, extension));
  return new Set([...declaredActions(application), ...optionalActions(config), ...own.flatMap(requiredActions)]);
};
