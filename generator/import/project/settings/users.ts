/** Settings of the users-permissions plugin. */
import { isLiteral } from "../code/value-type.ts";
import type { Reading } from "./reading.ts";
import { apply, type Rule, settle } from "./rules.ts";
import { expressionOf } from "./setting.ts";

const rules: readonly Rule[] = [
  ["config.jwt.expiresIn", "auth.jwt.expiresIn", "duration"],
  ["config.sessions.accessTokenLifespan", "auth.sessions.accessTokenLifespan", "duration"],
  ["config.sessions.maxRefreshTokenLifespan", "auth.sessions.maxLifespan", "duration"],
  ["config.sessions.idleRefreshTokenLifespan", "auth.sessions.idleLifespan", "duration"],
  ["config.register.allowedFields", "auth.register.allowedFields", "texts"],
  ["config.sessions.httpOnly", "auth.sessions.httpOnly", "boolean"],
  ["config.sessions.cookie.name", "auth.sessions.cookie.name", "text"],
  ["config.sessions.cookie.path", "auth.sessions.cookie.path", "text"],
  ["config.sessions.cookie.domain", "auth.sessions.cookie.domain", "text"],
  ["config.sessions.cookie.secure", "auth.sessions.cookie.secure", "boolean"],
  ["config.sessions.cookie.sameSite", "auth.sessions.cookie.sameSite", "sameSite"],
];

const mode = (reading: Reading): void =>
  isLiteral(reading.take("config.jwtManagement"), "refresh")
    ? reading.set("auth.jwt.mode", '"refresh"', "jwtManagement of users-permissions")
    : reading.set("auth.jwt.mode", '"legacy"', "as Strapi does unless it is told otherwise");

const rateLimit = (reading: Reading): void => {
  const from = "config.ratelimit";
  const enabled = reading.take(`${from}.enabled`);
  if (enabled && isLiteral(enabled, false)) {
    reading.take(from);
    return settle(reading, from, enabled, "auth.rateLimit", "false", "");
  }
  const interval = reading.take(`${from}.interval`);
  const seconds =
    interval?.kind === "literal" && typeof interval.value === "number" && interval.value >= 1000
      ? String(Math.round(interval.value / 1000))
      : undefined;
  const why = "is not a number of milliseconds";
  apply(reading, [[`${from}.max`, "auth.rateLimit.max", "number"]]);
  if (interval) settle(reading, `${from}.interval`, interval, "auth.rateLimit.intervalSeconds", seconds, why);
};

/** We read JWT_SECRET as well; a secret with another name must be named. */
const secret = (reading: Reading): void => {
  const from = "config.jwtSecret";
  const value = reading.take(from);
  if (value === undefined) return;
  if (value.kind === "variable" && value.name === "JWT_SECRET") {
    if (value.fallback) reading.leave(from, value, "has a text for when JWT_SECRET is not set: set the variable");
    return;
  }
  const expression = value.kind === "variable" ? expressionOf(value, "text") : undefined;
  settle(reading, from, value, "auth.jwt.secret", expression, "set the variable JWT_SECRET to it");
};

/** The `users-permissions` settings of `config/plugins`. */
export const usersSettings = (reading: Reading): void => {
  mode(reading);
  secret(reading);
  apply(reading, rules);
  rateLimit(reading);
};
