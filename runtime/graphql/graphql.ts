/** GraphQL of one application: its schema, and the handler of its endpoint. */
import type { GraphQLSchema } from "graphql";
import type { Application } from "../application.ts";
import type { Config } from "../config.ts";
import type { Services } from "../services.ts";
import { createEndpoint } from "./endpoint/endpoint.ts";
import { sandbox } from "./endpoint/sandbox.ts";
import type { NamedHandlers } from "./extension/resolver-config.ts";
import { GraphqlExtension } from "./extension/service.ts";
import { createReads, type OperationScope } from "./operations/reads.ts";
import { createWrites } from "./operations/writes.ts";
import { buildSchema } from "./schema/build.ts";

/** What the application's own `register` adds and switches off. */
const customize = ({ app }: Application): { extension: GraphqlExtension; handlers: NamedHandlers } => {
  const extension = new GraphqlExtension();
  app?.register?.({ graphql: extension });
  return { extension, handlers: { policies: app?.policies ?? {}, middlewares: app?.middlewares ?? {} } };
};

/** The executable schema of an application; throws when an extension names what does not exist. */
export const createGraphqlSchema = (
  application: Application,
  { format, shadowCRUD, defaultLimit, amountLimit }: Config["graphql"],
): GraphQLSchema => {
  const types = Object.values(application.contentTypes).flatMap(({ graphql }) => graphql ?? []);
  const components = Object.values(application.components).flatMap(({ graphql }) => graphql ?? []);
  const { extension, handlers } = customize(application);
  const limits = { defaultLimit, maxLimit: amountLimit, withCount: true };
  const byName = new Map(types.map((declaration) => [declaration.name, declaration]));
  const scope: OperationScope = { format, limits, types: byName };
  return buildSchema({
    format,
    shadowCRUD,
    types,
    components,
    extension,
    handlers,
    operations: { ...createReads(scope), ...createWrites(scope) },
  });
};

/** The handlers of the endpoint: of operations, by every method, and of the page for browsers. */
export const createGraphql = (services: Services) => {
  const { config, registry, production } = services;
  const { endpoint, landingPage, playgroundAlways } = config.graphql;
  const schema = createGraphqlSchema(registry.application, config.graphql);
  const wantsPage = landingPage ?? (playgroundAlways || !production);
  return {
    endpoint: createEndpoint(services, schema, { introspection: !production }),
    landingPage: wantsPage ? sandbox(endpoint) : undefined,
  };
};
