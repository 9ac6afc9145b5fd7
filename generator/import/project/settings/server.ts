/** `config/server` and `config/api`. */
import type { Reading } from "./reading.ts";
import { apply, type Rule } from "./rules.ts";
import type { Setting } from "./setting.ts";

/** Stands for Strapi's missing limit: larger than any list that clients request. */
export const UNLIMITED = "1_000_000";
export const NO_LIMIT = "Strapi had no limit: lower it to what is asked for";
const AS_STRAPI = "as Strapi does unless it is told otherwise";

const serverRules: readonly Rule[] = [
  ["host", "server.host", "text"],
  ["port", "server.port", "number"],
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

const urlOf = (reading: Reading): readonly Setting[] =>
  apply(reading, [["url", "server.url", "text"]])
    .map((setting) => ({ ...setting, expression: setting.expression.replace(/\/+"$/, '"') }))
    .filter(({ expression }) => expression !== '""');

const directoryOf = (reading: Reading): readonly Setting[] =>
  apply(reading, [["dirs.public", "media.directory", "text"]]).map((setting) => ({
    ...setting,
    expression: `\`\${${setting.expression}}/uploads\``,
  }));

/** The settings of `config/server`. Tasks are code, and read elsewhere. */
export const serverSettings = (reading: Reading): readonly Setting[] => {
  reading.take("cron");
  leaveAll(reading, elsewhere);
  return [...apply(reading, serverRules), ...urlOf(reading), ...directoryOf(reading)];
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
const unsaid: readonly Setting[] = [
  { name: "rest.maxLimit", expression: UNLIMITED, from: NO_LIMIT },
  { name: "rest.strictParams", expression: "false", from: AS_STRAPI },
  {
    name: "documents.strictRelations",
    expression: "false",
    from: `${AS_STRAPI}: required relations and files may be missing`,
  },
];

/** The settings of `config/api`, with Strapi's defaults for missing ones. */
export const apiSettings = (reading: Reading, version: 4 | 5): readonly Setting[] => {
  const said = apply(reading, apiRules);
  leaveAll(reading, [["documents.strictParams", "status and locale are checked as rest.strictParams says"]]);
  const format: Setting = { name: "rest.format", expression: '"v4"', from: "requests and answers of version 4" };
  return [
    ...said,
    ...(version === 4 ? [format] : []),
    ...unsaid.filter(({ name }) => !said.some((each) => each.name === name)),
    { name: "rest.drafts", expression: '"find"', from: "as Strapi does: whoever may find may read drafts" },
  ];
};
