/** `config/server` and `config/api`. */
import type { Reading } from "./reading.ts";
import { apply, type Path, type Rule } from "./rules.ts";
import type { Setting } from "./setting.ts";

/** Stands for the limit that Strapi did not have: larger than any list that clients ask for. */
export const UNLIMITED = "1_000_000";

const serverRules: readonly Rule[] = [
  [["host"], ["server", "host"], "text"],
  [["port"], ["server", "port"], "number"],
];

const elsewhere: readonly (readonly [path: Path, why: string, isMinor?: boolean])[] = [
  [["app", "keys"], "signs cookies of the admin panel: there is none here", true],
  [["proxy"], "name the addresses of your proxies in server.trustedProxies"],
  [["webhooks", "populateRelations"], "has no effect in Strapi 5 either", true],
  [["webhooks"], "there are no webhooks here: call others from afterPublish and its kin (docs/extensions.md#hooks)"],
  [["admin"], "is of the admin panel: there is none here", true],
];

const leaveAll = (reading: Reading, places: typeof elsewhere): void => {
  for (const [path, why, isMinor] of places) {
    const value = reading.take(...path);
    if (value) reading.leave(path, value, why, isMinor);
  }
};

const urlOf = (reading: Reading): readonly Setting[] =>
  apply(reading, [[["url"], ["server", "url"], "text"]])
    .map((setting) => ({ ...setting, expression: setting.expression.replace(/\/+"$/, '"') }))
    .filter(({ expression }) => expression !== '""');

const directoryOf = (reading: Reading): readonly Setting[] =>
  apply(reading, [[["dirs", "public"], ["media", "directory"], "text"]]).map((setting) => ({
    ...setting,
    expression: `\`\${${setting.expression}}/uploads\``,
  }));

/** What `config/server` says. Tasks are code, and read elsewhere. */
export const serverSettings = (reading: Reading): readonly Setting[] => {
  reading.take("cron");
  leaveAll(reading, elsewhere);
  return [...apply(reading, serverRules), ...urlOf(reading), ...directoryOf(reading)];
};

const apiRules: readonly Rule[] = [
  [["rest", "prefix"], ["rest", "prefix"], "text"],
  [["rest", "defaultLimit"], ["rest", "defaultLimit"], "number"],
  [["rest", "maxLimit"], ["rest", "maxLimit"], "number"],
  [["rest", "withCount"], ["rest", "withCount"], "boolean"],
  [["rest", "strictParams"], ["rest", "strictParams"], "boolean"],
  [["documents", "strictRelations"], ["documents", "strictRelations"], "boolean"],
  [["responses", "privateAttributes"], ["rest", "privateAttributes"], "texts"],
];

const has = (settings: readonly Setting[], name: string): boolean => settings.some(({ path }) => path.at(-1) === name);

/** What `config/api` says, and what held there where it says nothing. */
export const apiSettings = (reading: Reading, version: 4 | 5): readonly Setting[] => {
  const said = apply(reading, apiRules);
  leaveAll(reading, [[["documents", "strictParams"], "status and locale are checked as rest.strictParams says"]]);
  const unsaid: readonly Setting[] = [
    { path: ["rest", "maxLimit"], expression: UNLIMITED, from: "Strapi had no limit: lower it to what is asked for" },
    { path: ["rest", "strictParams"], expression: "false", from: "as Strapi does unless it is told otherwise" },
    {
      path: ["documents", "strictRelations"],
      expression: "false",
      from: "as Strapi does unless it is told otherwise: required relations and files may be missing",
    },
  ];
  const format: Setting = { path: ["rest", "format"], expression: '"v4"', from: "requests and answers of version 4" };
  return [
    ...said,
    ...(version === 4 ? [format] : []),
    ...unsaid.filter(({ path }) => !has(said, path.at(-1) ?? "")),
    { path: ["rest", "drafts"], expression: '"find"', from: "as Strapi does: whoever may find may read drafts" },
  ];
};
