/** GraphQL of one application: its schema, and the handler of its endpoint. */
import type { Handler } from "hono";
import type { AppEnv, Services } from "../http/context.ts";
import { createGraphqlSchema, type Declared, declarationsOf } from "./create-schema.ts";
import { createEndpoint } from "./endpoint/endpoint.ts";
import { sandbox } from "./endpoint/sandbox.ts";

/** The page for browsers: the sandbox, the application's own, or none. */
const landingPageOf = ({ config, production }: Services): Handler<AppEnv> | undefined => {
  const { endpoint, landingPage, playgroundAlways } = config.graphql;
  const chosen = typeof landingPage === "function" ? landingPage({ endpoint, production }) : landingPage;
  if (typeof chosen === "function") return (c) => chosen(c.req.raw);
  return playgroundAlways || (chosen ?? !production) ? sandbox(endpoint) : undefined;
};

/** The handlers of the endpoint: for operations, with any method, and for the page for browsers. */
export const createGraphql = (services: Services, declared: Declared) => {
  const { config, production } = services;
  const schema = createGraphqlSchema(declarationsOf(declared), config);
  const { introspection = !production, suggestions = introspection } = config.graphql.server;
  return {
    endpoint: createEndpoint(services, schema, { introspection, suggestions }),
    landingPage: landingPageOf(services),
  };
};
