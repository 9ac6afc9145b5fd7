/** The schema of one application, as its declarations and its own code have it. */
import type { GraphQLSchema } from "graphql";
import { SetupError } from "../base/setup-error.ts";
import { traceOf } from "../base/thrown.ts";
import type { Config } from "../config/config.ts";
import type { ComponentUid, ContentType, Uid } from "../schema/content-type.ts";
import type { GraphqlModule } from "./builder.ts";
import { Catalog } from "./catalog.ts";
import type { App } from "./extension/app.ts";
import { GraphqlExtension } from "./extension/service.ts";
import { buildSchema } from "./schema/build.ts";

/** What a project declares, by uid. */
export interface Declared {
  readonly contentTypes: Readonly<Record<Uid, { readonly type: ContentType; readonly graphql?: GraphqlModule }>>;
  readonly components: Readonly<Record<ComponentUid, { readonly graphql?: GraphqlModule }>>;
  readonly app?: App | undefined;
}

/** All that a schema is made from. */
export interface Declarations {
  /** The content types that the schema has. */
  readonly types: readonly ContentType[];
  /** What declares them, and the components. */
  readonly modules: readonly GraphqlModule[];
  /** What `content-types/app.ts` exports, where there is one. */
  readonly app?: App | undefined;
}

/** What an application declares for GraphQL. */
export const declarationsOf = ({ contentTypes, components, app }: Declared): Declarations => ({
  types: Object.values(contentTypes).flatMap(({ type, graphql }) => (graphql ? [type] : [])),
  modules: [...Object.values(components), ...Object.values(contentTypes)].flatMap(({ graphql }) => graphql ?? []),
  app,
});

/** What the application adds and switches off. */
const registered = ({ app, types }: Declarations): GraphqlExtension => {
  const extension = new GraphqlExtension(types);
  try {
    app?.register?.({ graphql: extension });
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`register of app.ts failed: ${traceOf(error)}`, { cause: error });
  }
  return extension;
};

/**
 * The executable schema; throws a SetupError when the application's own code asks for what cannot be.
 *
 * @param isSorted false where whoever uses it sorts it anyway, which takes as long as making it
 */
export const createGraphqlSchema = (
  declarations: Declarations,
  config: Config["graphql"],
  isSorted = true,
): GraphQLSchema => {
  const { modules, app } = declarations;
  const { format, shadowCRUD, defaultLimit, amountLimit } = config;
  return buildSchema({
    format,
    limits: { defaultLimit, maxLimit: amountLimit, withCount: true },
    shadowCRUD,
    modules,
    catalog: new Catalog(),
    isSorted,
    extension: registered(declarations),
    handlers: { policies: app?.policies ?? {}, middlewares: app?.middlewares ?? {} },
  });
};
