/** `config/server` and `config/api`. */
import { textOf } from "../code/value-type.ts";
import type { Reading } from "./reading.ts";
import { apply, type Rule } from "./rules.ts";

/** Stands for Strapi's missing limit: larger than any list that clients request. */
export const UNLIMITED = "1_000_000";
export const NO_LIMIT = "Strapi had no limit: lower it to what is asked for";
const AS_STRAPI = "as Strapi does unless it is told otherwise";

const serverRules: readonly Rule[] = [
  ["host", "server.host", "text"],
  ["port", "server.port", "number"],
  ["url", "server.url", "url"],
  ["dirs.public", "media.directory", "publicFolder"],
];

const elsewhere: readonly (readonly [name: string, why: string, isMinor?: boolean])[] = [
  ["app.keys", "signs cookies of the admin panel: there is none here", true],
  ["proxy", "name the addresses of your proxies in server.trustedProxies"],
  ["webhooks.populateRelations", "has no effect in Strapi 5 either", true],
  ["webhooks", "list webhooks, and the headers of all of them, in events of cms.config.ts (docs/run/events.md)"],
  ["admin", "is of the admin panel: there is none here", true],
];

const leaveAll = (reading: Reading, names: typeof elsewhere): void => {
  for (const [name, why, isMinor] of names) {
    const value = reading.take(name);
    if (value) reading.leave(name, value, why, isMinor);
  }
};

/** The settings of `config/server`. Tasks are code, and read elsewhere. */
export const serverSettings = (reading: Reading): void => {
  reading.take("cron");
  leaveAll(reading, elsewhere);
  // An empty address is none.
  const isRoot = /^\/*$/.test(textOf(reading.take("url")) ?? "unknown");
  apply(reading, isRoot ? serverRules.filter(([name]) => name !== "url") : serverRules);
};

const apiRules: readonly Rule[] = [
  ["rest.prefix", "rest.prefix", "text"],
  ["rest.defaultLimit", "rest.defaultLimit", "number"],
  ["rest.maxLimit", "rest.maxLimit", "number"],
  ["rest.withCount", "rest.withCount", "boolean"],
  ["rest.strictParams", "rest.strictParams", "boolean"],
  ["documents.strictRelations", "documents.strictRelations", "boolean"],
  ["responses.privateAttributes", "rest.privateAttributes", "texts"],
];

/** Strapi's defaults for missing settings. */
const unsaid: readonly (readonly [name: string, expression: string, from: string])[] = [
  ["rest.maxLimit", UNLIMITED, NO_LIMIT],
  ["rest.strictParams", "false", AS_STRAPI],
  ["documents.strictRelations", "false", `${AS_STRAPI}: required relations and files may be missing`],
];

/** The settings of `config/api`, with Strapi's defaults for missing ones. */
export const apiSettings = (reading: Reading, version: 4 | 5): void => {
  apply(reading, apiRules);
  leaveAll(reading, [["documents.strictParams", "status and locale are checked as rest.strictParams says"]]);
  if (version === 4) reading.set("rest.format", '"v4"', "requests and answers of version 4");
  for (const setting of unsaid) if (!reading.isSet(setting[0])) reading.set(...setting);
  reading.set("rest.drafts", '"find"', "as Strapi does: whoever may find may read drafts");
};
