/** `config/middlewares`: settings of Strapi's own middlewares. The project's middlewares are code. */
import { memberAt, textOf, type Value } from "../code/value-type.ts";
import { type Left, NO_COUNTERPART, type Reading, reading } from "./reading.ts";
import { apply, type Rule, settle } from "./rules.ts";
import { expressionOf, type Setting } from "./setting.ts";

/** `*`, one origin, or a list of them. */
const originsOf = (value: Value): string | undefined => {
  if (value.kind === "list" || (value.kind === "variable" && value.cast === "array"))
    return expressionOf(value, "texts");
  const text = expressionOf(value, "text");
  return text === undefined ? undefined : `[${text}]`;
};

const EVERYONE = new Set(['["*"]', "[]"]);

const cors = (read: Reading): void => {
  const origin = read.take("origin");
  const origins = origin && originsOf(origin);
  const why = "is code: list the origins in server.cors.origins";
  const isForEveryone = origins !== undefined && EVERYONE.has(origins);
  if (origin && !isForEveryone) settle(read, "origin", origin, "server.cors.origins", origins, why);
  const credentials = read.take("credentials");
  const allowed = credentials ? expressionOf(credentials, "boolean") : "true";
  if (read.isSet("server.cors.origins") && allowed !== undefined)
    read.set("server.cors.credentials", allowed, "as strapi::cors does");
  apply(read, [["maxAge", "server.cors.maxAge", "number"]]);
};

const rules: ReadonlyMap<string, readonly Rule[]> = new Map<string, readonly Rule[]>([
  [
    "strapi::body",
    [
      ["jsonLimit", "server.bodyLimit", "bytes"],
      ["formidable.maxFileSize", "media.sizeLimit", "bytes"],
    ],
  ],
  ["strapi::query", [["arrayLimit", "rest.arrayLimit", "number"]]],
]);

/** The name of a middleware in the list. */
const nameOf = (value: Value): string =>
  textOf(value) ?? textOf(memberAt(value, ["name"])) ?? textOf(memberAt(value, ["resolve"])) ?? "a middleware";

const isOwn = (name: string): boolean => name.startsWith("strapi::");

/** Reads the configuration of one of Strapi's middlewares; returns what is left of it. */
const leftOf = (name: string, config: Value | undefined, settings: Setting[]): readonly Left[] => {
  if (config === undefined) return [];
  const { at } = config;
  if (config.kind !== "record") return [{ at, name, why: "could not be read without running it" }];
  if (name === "strapi::security")
    return [{ at, name, why: "sets headers: here they are fixed, and a proxy in front may add others", isMinor: true }];
  const read = reading(config, name, settings);
  if (name === "strapi::cors") cors(read);
  else apply(read, rules.get(name) ?? []);
  return read.left();
};

/** Reads the list of middlewares. `others` are those of the project and of plugins, by their names in the list. */
export const middlewareSettings = (list: Value, settings: Setting[]) => {
  if (list.kind !== "list")
    return { left: [{ at: list.at, name: "middlewares", why: `${NO_COUNTERPART}: it is no list` }], others: [] };
  const all = list.items.map((value) => ({ name: nameOf(value), value }));
  return {
    left: all.flatMap(({ name, value }) => (isOwn(name) ? leftOf(name, memberAt(value, ["config"]), settings) : [])),
    others: all.filter(({ name }) => !isOwn(name)),
  };
};
