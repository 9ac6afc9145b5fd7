/** Routes, and changes to generated ones. */
import type { CodeReader } from "../code/parse.ts";
import { hasNoRoutes, type OwnRoute, type RouteChange, routesOf, scatteredRoutes } from "../code/routes.ts";
import { isLiteral, memberAt, type Value } from "../code/value-type.ts";
import type { Area } from "./areas.ts";
import { type Finding, finding } from "./finding.ts";

const shown = (value: Value): string => {
  if (value.kind === "literal") return String(value.value);
  if (value.kind === "list") return value.items.map(shown).join(", ");
  if (value.kind === "variable") return value.name;
  if (value.kind === "unknown") return value.text.replaceAll(/\s+/g, " ").slice(0, 60);
  return shown(value.members.get("name") ?? { kind: "literal", value: "an object", at: value.at });
};

/** A route's configuration, in words. */
const notes = (config: Value | undefined): readonly string[] => {
  const policies = memberAt(config, ["policies"]);
  const middlewares = memberAt(config, ["middlewares"]);
  return [
    ...(isLiteral(memberAt(config, ["auth"]), false)
      ? [
          "is open to everyone (`auth: false`): give the roles public and authenticated its action in `permissions` of `cms.config.ts`",
        ]
      : []),
    ...(policies && shown(policies) ? [`policies: ${shown(policies)}`] : []),
    ...(middlewares && shown(middlewares) ? [`middlewares: ${shown(middlewares)}`] : []),
  ];
};

const own = ({ method, path, handler, at, config }: OwnRoute): Finding =>
  finding("route", `${method} ${path}`.trim(), at, handler && `handler ${handler}`, ...notes(config));

const ONLY: ReadonlyMap<string, string> = new Map([
  ["only", "the other routes are here as well: refuse them by permissions"],
  ["except", "these routes are here as well: refuse them by permissions"],
  ["prefix", "paths have no prefix here"],
  ["routes", "has no effect in Strapi either: a core router takes no routes"],
]);

const changed = ({ uid, key, isAction, value }: RouteChange): Finding => {
  if (!isAction) {
    const name = `${key} of the routes of ${uid}: ${shown(value)}`;
    return finding("route", name, value.at, ONLY.get(key) ?? "has no counterpart here");
  }
  const said = notes(value);
  return finding("route", `${key} of ${uid}`, value.at, ...(said.length > 0 ? said : [shown(value)]));
};

/** A finding for each route; one for the file if routes cannot be told apart. */
export const routeFindings = (reader: CodeReader, file: string, { owner, name }: Area): readonly Finding[] => {
  const routes = routesOf(reader, file);
  const found = [...routes.own.map(own), ...routes.changes.map(changed)];
  if (found.length > 0 || hasNoRoutes(reader, file)) return found;
  return [finding("route", `${owner}.${name}`, file)];
};

/** A finding for each route declared outside route files. */
export const scatteredFindings = (reader: CodeReader, file: string): readonly Finding[] =>
  scatteredRoutes(reader, file).map(own);
