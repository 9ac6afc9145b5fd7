/** `config/middlewares`: settings of Strapi's own middlewares. The project's middlewares are code. */
import { memberAt, type RecordValue, textOf, type Value } from "../code/value-type.ts";
import { type Left, NO_COUNTERPART, type Reading, reading } from "./reading.ts";
import { apply, type Rule, settle } from "./rules.ts";
import { expressionOf, type Setting } from "./setting.ts";

export interface MiddlewareSettings {
  readonly settings: readonly Setting[];
  readonly left: readonly Left[];
  /** Middlewares of the project and of plugins, by their names in the list. */
  readonly others: readonly { readonly name: string; readonly value: Value }[];
}

/** `*`, one origin, or a list of them. */
const originsOf = (value: Value): string | undefined => {
  if (value.kind === "list" || (value.kind === "variable" && value.cast === "array"))
    return expressionOf(value, "texts");
  const text = expressionOf(value, "text");
  return text === undefined ? undefined : `[${text}]`;
};

const EVERYONE = new Set(['["*"]', "[]"]);

const cors = (read: Reading): readonly Setting[] => {
  const origin = read.take("origin");
  const origins = origin && originsOf(origin);
  const why = "is code: list the origins in server.cors.origins";
  const listed = origin ? settle(read, "origin", origin, "server.cors.origins", origins, why) : [];
  const credentials = read.take("credentials");
  const isListed = origins !== undefined && !EVERYONE.has(origins);
  const allowed = credentials ? expressionOf(credentials, "boolean") : "true";
  return [
    ...(isListed ? listed : []),
    ...(isListed && allowed !== undefined
      ? [{ name: "server.cors.credentials", expression: allowed, from: "as strapi::cors does" }]
      : []),
    ...apply(read, [["maxAge", "server.cors.maxAge", "number"]]),
  ];
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

/** The settings of one middleware. */
const configured = (name: string, config: RecordValue): MiddlewareSettings => {
  if (name === "strapi::security") {
    const why = "sets headers: here they are fixed, and a proxy in front may add others";
    return { settings: [], left: [{ at: config.at, name, why, isMinor: true }], others: [] };
  }
  const read = reading(config, name);
  const settings = name === "strapi::cors" ? cors(read) : apply(read, rules.get(name) ?? []);
  return { settings, left: read.left(), others: [] };
};

const one = (value: Value): MiddlewareSettings => {
  const none: MiddlewareSettings = { settings: [], left: [], others: [] };
  const name = textOf(value) ?? textOf(memberAt(value, ["name"])) ?? textOf(memberAt(value, ["resolve"]));
  if (!name?.startsWith("strapi::")) return { ...none, others: [{ name: name ?? "a middleware", value }] };
  const config = memberAt(value, ["config"]);
  if (config === undefined) return none;
  if (config.kind === "record") return configured(name, config);
  return { ...none, left: [{ at: config.at, name, why: "could not be read without running it" }] };
};

/** The settings in the list of middlewares. */
export const middlewareSettings = (list: Value): MiddlewareSettings => {
  if (list.kind !== "list") {
    const left = [{ at: list.at, name: "middlewares", why: `${NO_COUNTERPART}: it is no list` }];
    return { settings: [], left, others: [] };
  }
  const all = list.items.map(one);
  return {
    settings: all.flatMap(({ settings }) => settings),
    left: all.flatMap(({ left }) => left),
    others: all.flatMap(({ others }) => others),
  };
};
