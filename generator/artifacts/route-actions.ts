/** Finds misspelt actions in `can("…")`: an action that is never granted silently closes its route. */
import { distance } from "fastest-levenshtein";
import { declaredActions } from "../../runtime/access/actions.ts";
import type { Application } from "../../runtime/app/application.ts";
import { SetupError } from "../../runtime/base/thrown.ts";
import type { Config } from "../../runtime/config/config.ts";
import { actionOf } from "../../runtime/config/permissions.ts";
import { extensionRoutes } from "../../runtime/http/rest/extension-routes.ts";
import { requiredActions } from "../../runtime/http/rest/router.ts";

/** In shorter names, changing a letter usually makes another word, such as "fund" from "find". */
const SHORTEST = 5;

const nameOf = (action: string): string => action.slice(action.lastIndexOf(".") + 1);

/** Strips plural, past tense and numbers: "created" and "export2" are actions of their own. */
const stemOf = (action: string): string => action.replace(/[sd]$/, "").replaceAll(/\d/g, "");

/** Whether two actions differ only by swapped letters, or by one extra, missing or wrong letter. */
const isMisspelt = (action: string, meant: string): boolean => {
  const edits = distance(action, meant);
  if (edits !== 1) return edits < 3 && [...action].toSorted().join() === [...meant].toSorted().join();
  return stemOf(action) !== stemOf(meant) && (nameOf(meant).length >= SHORTEST || nameOf(action) === nameOf(meant));
};

/**
 * Checks the actions of routes that extensions add. A route may introduce an action, but not one that resembles a
 * declared action or one that `permissions` names.
 *
 * @throws SetupError that names every misspelt action
 */
export const checkRouteActions = (application: Application, permissions: Config["permissions"]): void => {
  const all = [...declaredActions(application), ...Object.values(permissions).flat().map(actionOf)];
  const known = all.map((action) => action.replace(/^-/, ""));
  const faults = Object.entries(application.extensions).flatMap(([uid, extension]) =>
    requiredActions(extensionRoutes(uid, extension)).flatMap((action) => {
      if (known.includes(action)) return [];
      const meant = known.find((each) => isMisspelt(action.toLowerCase(), each.toLowerCase()));
      return meant === undefined
        ? []
        : `A route in extension.ts of ${uid} asks for "${action}". Did you mean "${meant}"? If not, name it in \`permissions\`.`;
    }),
  );
  if (faults.length > 0) throw new SetupError(faults.join("\n"));
};
