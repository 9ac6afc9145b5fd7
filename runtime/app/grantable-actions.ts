import { declaredActions, eventActions, panelActions } from "../access/actions.ts";
import type { Config } from "../config/config.ts";
import { requiredActions } from "../http/rest/can.ts";
import { extensionRoutes } from "../http/rest/extension-routes.ts";
import type { Application } from "./application.ts";

/**
 * Every action that can be granted: those of the declared types, of the built-in controllers, of features that the
 * configuration enables, and of the user's own routes.
 */
export const grantableActions = (
  application: Application,
  { events, panel }: Partial<Pick<Config, "events" | "panel">>,
): ReadonlySet<string> => {
  const own = Object.entries(application.extensions).map(([uid, extension]) => extensionRoutes(uid, extension));
  return new Set([
    ...declaredActions(application),
    ...eventActions(events),
    ...(panel ? panelActions : []),
    ...own.flatMap(requiredActions),
  ]);
};
