/** Settings of the GraphQL plugin. */
import type { Value } from "../code/value-type.ts";
import type { Reading } from "./reading.ts";
import { apply, type Rule } from "./rules.ts";
import { UNLIMITED } from "./server.ts";
import type { Setting } from "./setting.ts";

const rules: readonly Rule[] = [
  [["config", "endpoint"], ["graphql", "endpoint"], "text"],
  [["config", "shadowCRUD"], ["graphql", "shadowCRUD"], "boolean"],
  [["config", "depthLimit"], ["graphql", "depthLimit"], "number"],
  [["config", "defaultLimit"], ["graphql", "defaultLimit"], "number"],
  [["config", "playgroundAlways"], ["graphql", "playgroundAlways"], "boolean"],
  [["config", "landingPage"], ["graphql", "landingPage"], "boolean"],
  [["config", "apolloServer", "introspection"], ["graphql", "server", "introspection"], "boolean"],
];

const isUnlimited = (value: Value | undefined): boolean =>
  value?.kind === "unknown" ? value.text === "-1" : value?.kind === "literal" && Number(value.value) < 0;

/** The two names of one limit: with neither there was none. */
const amount = (reading: Reading): readonly Setting[] => {
  const to = ["graphql", "amountLimit"];
  const limit = reading.take("config", "maxLimit");
  const amounts = reading.take("config", "amountLimit");
  if (limit && !isUnlimited(limit)) return apply(reading, [[["config", "maxLimit"], to, "number"]]);
  if (amounts && !isUnlimited(amounts) && limit === undefined) {
    const said = apply(reading, [[["config", "amountLimit"], to, "number"]]);
    reading.leave(["config", "amountLimit"], amounts, "holds here; Strapi itself reads only maxLimit");
    return said;
  }
  return [{ path: to, expression: UNLIMITED, from: "Strapi had no limit: lower it to what is asked for" }];
};

const depth = (settings: readonly Setting[]): readonly Setting[] =>
  settings.some(({ path }) => path[1] === "depthLimit")
    ? []
    : [
        {
          path: ["graphql", "depthLimit"],
          expression: "100",
          from: "Strapi had no limit: lower it to what is asked for",
        },
      ];

const format = (reading: Reading, version: 4 | 5): Setting => {
  const mode = reading.take("config", "v4CompatibilityMode");
  const isEntity = version === 4 || (mode?.kind === "literal" && mode.value === true);
  return {
    path: ["graphql", "format"],
    expression: isEntity ? '"entity"' : '"flat"',
    from: isEntity ? "the schema of version 4" : "the schema of version 5",
  };
};

/** What `graphql` of `config/plugins` says, and what held there where it says nothing. */
export const graphqlSettings = (reading: Reading, version: 4 | 5): readonly Setting[] => {
  const said = apply(reading, rules);
  return [format(reading, version), ...said, ...depth(said), ...amount(reading)];
};
