/** Settings of the users-permissions plugin. */
import type { Value } from "../code/value-type.ts";
import type { Reading } from "./reading.ts";
import { apply, cannotRead, durationOf, type Path, type Rule, settle } from "./rules.ts";
import { expressionOf, type Setting } from "./setting.ts";

const durations: readonly (readonly [Path, Path])[] = [
  [
    ["config", "jwt", "expiresIn"],
    ["auth", "jwt", "expiresIn"],
  ],
  [
    ["config", "sessions", "accessTokenLifespan"],
    ["auth", "sessions", "accessTokenLifespan"],
  ],
  [
    ["config", "sessions", "maxRefreshTokenLifespan"],
    ["auth", "sessions", "maxLifespan"],
  ],
  [
    ["config", "sessions", "idleRefreshTokenLifespan"],
    ["auth", "sessions", "idleLifespan"],
  ],
];

const rules: readonly Rule[] = [
  [["config", "register", "allowedFields"], ["auth", "register", "allowedFields"], "texts"],
  [["config", "sessions", "httpOnly"], ["auth", "sessions", "httpOnly"], "boolean"],
  [["config", "sessions", "cookie", "name"], ["auth", "sessions", "cookie", "name"], "text"],
  [["config", "sessions", "cookie", "path"], ["auth", "sessions", "cookie", "path"], "text"],
  [["config", "sessions", "cookie", "domain"], ["auth", "sessions", "cookie", "domain"], "text"],
  [["config", "sessions", "cookie", "secure"], ["auth", "sessions", "cookie", "secure"], "boolean"],
];

const isText = (value: Value | undefined, text: string): boolean => value?.kind === "literal" && value.value === text;

const mode = (reading: Reading): Setting => {
  const value = reading.take("config", "jwtManagement");
  return isText(value, "refresh")
    ? { path: ["auth", "jwt", "mode"], expression: '"refresh"', from: "jwtManagement of users-permissions" }
    : { path: ["auth", "jwt", "mode"], expression: '"legacy"', from: "as Strapi does unless it is told otherwise" };
};

const rateLimit = (reading: Reading): readonly Setting[] => {
  const path = ["config", "ratelimit"];
  const enabled = reading.take(...path, "enabled");
  if (enabled?.kind === "literal" && enabled.value === false) {
    reading.take(...path);
    return settle(reading, path, enabled, ["auth", "rateLimit"], "false", "");
  }
  const interval = reading.take(...path, "interval");
  const seconds =
    interval?.kind === "literal" && typeof interval.value === "number" && interval.value >= 1000
      ? String(Math.round(interval.value / 1000))
      : undefined;
  const why = "is not a number of milliseconds";
  const to = ["auth", "rateLimit", "intervalSeconds"];
  return [
    ...apply(reading, [[[...path, "max"], ["auth", "rateLimit", "max"], "number"]]),
    ...(interval ? settle(reading, [...path, "interval"], interval, to, seconds, why) : []),
  ];
};

/** JWT_SECRET is read here as well; a secret of another name has to be named. */
const secret = (reading: Reading): readonly Setting[] => {
  const path = ["config", "jwtSecret"];
  const value = reading.take(...path);
  if (value === undefined) return [];
  if (value.kind === "variable" && value.name === "JWT_SECRET") {
    if (value.fallback) reading.leave(path, value, "has a text for when JWT_SECRET is not set: set the variable");
    return [];
  }
  const expression = value.kind === "variable" ? expressionOf(value, "text") : undefined;
  return settle(reading, path, value, ["auth", "jwt", "secret"], expression, "set the variable JWT_SECRET to it");
};

const sameSite = (reading: Reading): readonly Setting[] => {
  const path = ["config", "sessions", "cookie", "sameSite"];
  const value = reading.take(...path);
  if (value === undefined) return [];
  const text = value.kind === "literal" ? String(value.value).toLowerCase() : "";
  const known = ["Lax", "Strict", "None"].find((each) => each.toLowerCase() === text);
  const to = ["auth", "sessions", "cookie", "sameSite"];
  return settle(reading, path, value, to, known && `"${known}"`, cannotRead("text"));
};

/** Version 4 took every attribute of users from who registers, unless it was told which. */
export const registersAll = (settings: readonly Setting[]): boolean =>
  !settings.some(({ path }) => path.join(".") === "auth.register.allowedFields");

/** What `users-permissions` of `config/plugins` says. */
export const usersSettings = (reading: Reading): readonly Setting[] => [
  mode(reading),
  ...secret(reading),
  ...durations.flatMap(([from, to]) => {
    const value = reading.take(...from);
    return value ? settle(reading, from, value, to, durationOf(value), "is no duration such as 30d") : [];
  }),
  ...apply(reading, rules),
  ...sameSite(reading),
  ...rateLimit(reading),
];
