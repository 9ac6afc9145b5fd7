/** Settings of the GraphQL plugin. */
import { isLiteral, type Value } from "../code/value-type.ts";
import type { Reading } from "./reading.ts";
import { apply, type Rule } from "./rules.ts";
import { NO_LIMIT, UNLIMITED } from "./server.ts";
import type { Setting } from "./setting.ts";

const rules: readonly Rule[] = [
  ["config.endpoint", "graphql.endpoint", "text"],
  ["config.shadowCRUD", "graphql.shadowCRUD", "boolean"],
  ["config.depthLimit", "graphql.depthLimit", "number"],
  ["config.defaultLimit", "graphql.defaultLimit", "number"],
  ["config.playgroundAlways", "graphql.playgroundAlways", "boolean"],
  ["config.landingPage", "graphql.landingPage", "boolean"],
  ["config.apolloServer.introspection", "graphql.server.introspection", "boolean"],
];

const isUnlimited = (value: Value | undefined): boolean =>
  value?.kind === "unknown" ? value.text === "-1" : value?.kind === "literal" && Number(value.value) < 0;

/** Two names of one limit: without either there was none. */
const amount = (reading: Reading): readonly Setting[] => {
  const name = "graphql.amountLimit";
  const limit = reading.take("config.maxLimit");
  const amounts = reading.take("config.amountLimit");
  if (limit && !isUnlimited(limit)) return apply(reading, [["config.maxLimit", name, "number"]]);
  if (amounts && !isUnlimited(amounts) && limit === undefined) {
    const said = apply(reading, [["config.amountLimit", name, "number"]]);
    reading.leave("config.amountLimit", amounts, "holds here; Strapi itself reads only maxLimit", true);
    return said;
  }
  return [{ name, expression: UNLIMITED, from: NO_LIMIT }];
};

const format = (reading: Reading, version: 4 | 5): Setting => {
  const isEntity = version === 4 || isLiteral(reading.take("config.v4CompatibilityMode"), true);
  return {
    name: "graphql.format",
    expression: isEntity ? '"entity"' : '"flat"',
    from: isEntity ? "the schema of version 4" : "the schema of version 5",
  };
};

/** The `graphql` settings of `config/plugins`, with Strapi's defaults for missing ones. */
export const graphqlSettings = (reading: Reading, version: 4 | 5): readonly Setting[] => {
  const said = apply(reading, rules);
  const hasDepth = said.some(({ name }) => name === "graphql.depthLimit");
  const depth = hasDepth ? [] : [{ name: "graphql.depthLimit", expression: "100", from: NO_LIMIT }];
  return [format(reading, version), ...said, ...depth, ...amount(reading)];
};
