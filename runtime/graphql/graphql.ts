/** GraphQL of one application: its schema, and the handler of its endpoint. */
import type { Services } from "../services.ts";
import { createGraphqlSchema, declarationsOf } from "./create-schema.ts";
import { createEndpoint } from "./endpoint/endpoint.ts";
import { sandbox } from "./endpoint/sandbox.ts";

/** The handlers of the endpoint: of operations, by every method, and of the page for browsers. */
export const createGraphql = (services: Services) => {
  const { config, registry, production } = services;
  const { endpoint, landingPage, playgroundAlways } = config.graphql;
  const schema = createGraphqlSchema(declarationsOf(registry.application), config.graphql);
  const wantsPage = landingPage ?? (playgroundAlways || !production);
  return {
    endpoint: createEndpoint(services, schema, { introspection: !production }),
    landingPage: wantsPage ? sandbox(endpoint) : undefined,
  };
};
