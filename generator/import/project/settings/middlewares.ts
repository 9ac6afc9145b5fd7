/** `config/middlewares`: the settings of those that Strapi brings. Those of the project are code. */
import type { RecordValue, Value } from "../code/value-type.ts";
import { type Left, NO_COUNTERPART, reading } from "./reading.ts";
import { bytesOf, cannotRead, settle } from "./rules.ts";
import { expressionOf, type Setting } from "./setting.ts";

export interface MiddlewareSettings {
  readonly settings: readonly Setting[];
  readonly left: readonly Left[];
  /** Middlewares of the project and of plugins, by the names that stand in the list. */
  readonly others: readonly { readonly name: string; readonly value: Value }[];
}

const NONE: MiddlewareSettings = { settings: [], left: [], others: [] };

const textOf = (value: Value | undefined): string | undefined =>
  value?.kind === "literal" && typeof value.value === "string" ? value.value : undefined;

/** `*`, one origin, or a list of them. */
const originsOf = (value: Value): string | undefined => {
  if (value.kind === "list" || (value.kind === "variable" && value.cast === "array"))
    return expressionOf(value, "texts");
  const text = expressionOf(value, "text");
  return text === undefined ? undefined : `[${text}]`;
};

const EVERYONE = new Set(['["*"]', "[]"]);

const cors = (config: RecordValue): MiddlewareSettings => {
  const read = reading(config, ["strapi::cors"]);
  const origin = read.take("origin");
  const origins = origin ? originsOf(origin) : undefined;
  const why = "is code: list the origins in server.cors.origins";
  const listed = origin ? settle(read, ["origin"], origin, ["server", "cors", "origins"], origins, why) : [];
  const credentials = read.take("credentials");
  const isListed = origins !== undefined && !EVERYONE.has(origins);
  const allowed = credentials ? expressionOf(credentials, "boolean") : "true";
  const maxAge = read.take("maxAge");
  return {
    settings: [
      ...listed.filter(() => isListed),
      ...(isListed && allowed !== undefined
        ? [{ path: ["server", "cors", "credentials"], expression: allowed, from: "as strapi::cors does" }]
        : []),
      ...(maxAge
        ? settle(
            read,
            ["maxAge"],
            maxAge,
            ["server", "cors", "maxAge"],
            expressionOf(maxAge, "number"),
            cannotRead("number"),
          )
        : []),
    ],
    left: read.left(),
    others: [],
  };
};

const body = (config: RecordValue): MiddlewareSettings => {
  const read = reading(config, ["strapi::body"]);
  const rules = [
    [["jsonLimit"], ["server", "bodyLimit"]],
    [
      ["formidable", "maxFileSize"],
      ["media", "sizeLimit"],
    ],
  ] as const;
  const settings = rules.flatMap(([from, to]) => {
    const value = read.take(...from);
    return value ? settle(read, from, value, to, bytesOf(value), cannotRead("number")) : [];
  });
  return { settings, left: read.left(), others: [] };
};

const query = (config: RecordValue): MiddlewareSettings => {
  const read = reading(config, ["strapi::query"]);
  const limit = read.take("arrayLimit");
  const settings = limit
    ? settle(read, ["arrayLimit"], limit, ["rest", "arrayLimit"], expressionOf(limit, "number"), cannotRead("number"))
    : [];
  return { settings, left: read.left(), others: [] };
};

const handlers: ReadonlyMap<string, (config: RecordValue) => MiddlewareSettings> = new Map([
  ["strapi::cors", cors],
  ["strapi::body", body],
  ["strapi::query", query],
]);

const one = (value: Value): MiddlewareSettings => {
  const record = value.kind === "record" ? value : undefined;
  const name = textOf(value) ?? textOf(record?.members.get("name")) ?? textOf(record?.members.get("resolve"));
  if (name === undefined) return { ...NONE, others: [{ name: "a middleware", value }] };
  if (!name.startsWith("strapi::")) return { ...NONE, others: [{ name, value }] };
  const config = record?.members.get("config");
  if (config === undefined) return NONE;
  if (config.kind !== "record")
    return { ...NONE, left: [{ at: config.at, name, why: "could not be read without running it" }] };
  const handler = handlers.get(name);
  return handler ? handler(config) : { ...NONE, left: reading(config, [name]).left() };
};

/** What the list of middlewares says. */
export const middlewareSettings = (list: Value): MiddlewareSettings => {
  if (list.kind !== "list")
    return { ...NONE, left: [{ at: list.at, name: "middlewares", why: `${NO_COUNTERPART}: it is no list` }] };
  const all = list.items.map(one);
  return {
    settings: all.flatMap(({ settings }) => settings),
    left: all.flatMap(({ left }) => left),
    others: all.flatMap(({ others }) => others),
  };
};
