/** Settings of the GraphQL plugin. */
import { isLiteral, type Value } from "../code/value-type.ts";
import type { Reading } from "./reading.ts";
import { apply, type Rule } from "./rules.ts";
import { NO_LIMIT, UNLIMITED } from "./server.ts";

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
const amount = (reading: Reading): void => {
  const name = "graphql.amountLimit";
  const limit = reading.take("config.maxLimit");
  const amounts = reading.take("config.amountLimit");
  if (limit && !isUnlimited(limit)) return apply(reading, [["config.maxLimit", name, "number"]]);
  if (amounts && !isUnlimited(amounts) && limit === undefined) {
    apply(reading, [["config.amountLimit", name, "number"]]);
    return reading.leave("config.amountLimit", amounts, "holds here; Strapi itself reads only maxLimit", true);
  }
  reading.set(name, UNLIMITED, NO_LIMIT);
};

/** The `graphql` settings of `config/plugins`, with Strapi's defaults for missing ones. */
export const graphqlSettings = (reading: Reading, version: 4 | 5): void => {
  const isEntity = version === 4 || isLiteral(reading.take("config.v4CompatibilityMode"), true);
  reading.set("graphql.format", isEntity ? '"entity"' : '"flat"', `the schema of version ${isEntity ? 4 : 5}`);
  apply(reading, rules);
  if (!reading.isSet("graphql.depthLimit")) reading.set("graphql.depthLimit", "100", NO_LIMIT);
  amount(reading);
};
