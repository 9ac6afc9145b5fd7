/** The schema of one application, as its declarations and its own code have it. */
import type { GraphQLSchema } from "graphql";
import type { App } from "../app.ts";
import type { Application } from "../application.ts";
import type { Config } from "../config.ts";
import type { ComponentDeclaration, TypeDeclaration } from "./declaration.ts";
import { GraphqlExtension } from "./extension/service.ts";
import { createReads, type OperationScope } from "./operations/reads.ts";
import { createWrites } from "./operations/writes.ts";
import { buildSchema } from "./schema/build.ts";

/** All that a schema is made from. */
export interface Declarations {
  readonly types: readonly TypeDeclaration[];
  readonly components: readonly ComponentDeclaration[];
  /** What `content-types/app.ts` exports, where there is one. */
  readonly app?: App | undefined;
}

/** What an application declares for GraphQL. */
export const declarationsOf = ({ contentTypes, components, app }: Application): Declarations => ({
  types: Object.values(contentTypes).flatMap(({ graphql }) => graphql ?? []),
  components: Object.values(components).flatMap(({ graphql }) => graphql ?? []),
  app,
});

/** The executable schema; throws when an extension names what does not exist. */
export const createGraphqlSchema = (
  { types, components, app }: Declarations,
  { format, shadowCRUD, defaultLimit, amountLimit }: Config["graphql"],
): GraphQLSchema => {
  const extension = new GraphqlExtension();
  app?.register?.({ graphql: extension });
  const limits = { defaultLimit, maxLimit: amountLimit, withCount: true };
  const byName = new Map(types.map((declaration) => [declaration.name, declaration]));
  const scope: OperationScope = { format, limits, types: byName };
  return buildSchema({
    format,
    shadowCRUD,
    types,
    components,
    extension,
    handlers: { policies: app?.policies ?? {}, middlewares: app?.middlewares ?? {} },
    operations: { ...createReads(scope), ...createWrites(scope) },
  });
};
