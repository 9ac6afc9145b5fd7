/** Builds the schema of one application from its declarations and its own code. */
import { mergeSchemas } from "@graphql-tools/schema";
import SchemaBuilder from "@pothos/core";
import { type GraphQLObjectType, GraphQLSchema, isEnumType, isObjectType, validateSchema } from "graphql";
import { messageOf, SetupError, traceOf } from "../base/thrown.ts";
import type { Config } from "../config/config.ts";
import type { ComponentUid, ContentType, Uid } from "../schema/content-type.ts";
import type { Builder, GraphqlModule, GraphqlObjects, GraphqlTypes } from "./builder.ts";
import { Catalog } from "./catalog.ts";
import type { App } from "./extension/app.ts";
import type { ResolverConfig } from "./extension/resolver-config.ts";
import { GraphqlExtension, type SchemaExtension } from "./extension/service.ts";
import { checkKnown } from "./extension/shadow-crud.ts";
import "./plugin/plugin.ts";
import { addAccountFields } from "./schema/account-fields.ts";
import { addEventFields } from "./schema/event-fields.ts";
import { addFileFields } from "./schema/file-fields.ts";
import { guardSchema } from "./schema/guards.ts";
import { addLocaleFields } from "./schema/locale-fields.ts";
import { createScope, type Scope } from "./schema/scope.ts";
import { addScalars } from "./schema/shared-types.ts";
import { addRoleFields, addUserFields } from "./schema/user-fields.ts";
import { uploadFileGraphql } from "./upload-file.ts";

/** What a project declares, by uid. */
export interface Declared {
  readonly contentTypes: Readonly<Record<Uid, { readonly type: ContentType; readonly graphql?: GraphqlModule }>>;
  readonly components: Readonly<Record<ComponentUid, { readonly graphql?: GraphqlModule }>>;
  readonly app?: App | undefined;
}

/** Everything a schema is built from. */
export interface Declarations {
  /** The content types that the schema has. */
  readonly types: readonly ContentType[];
  /** The modules that declare them, and the components. */
  readonly modules: readonly GraphqlModule[];
  /** What `content-types/app.ts` exports, if it exists. */
  readonly app?: App | undefined;
}

/** What an application declares for GraphQL. */
export const declarationsOf = ({ contentTypes, components, app }: Declared): Declarations => ({
  types: Object.values(contentTypes).flatMap(({ type, graphql }) => (graphql ? [type] : [])),
  modules: [...Object.values(components), ...Object.values(contentTypes)].flatMap(({ graphql }) => graphql ?? []),
  app,
});

/** What the application adds and disables. */
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

/** The settings that a schema depends on. */
export type SchemaConfig = Pick<Config, "graphql" | "search" | "events" | "locales">;

/** What one schema is built from. */
interface Input extends Declarations {
  readonly config: SchemaConfig;
  readonly extension: GraphqlExtension;
  readonly isSorted: boolean;
}

/**
 * The executable schema: generated types first, then what the extension service added, then the checks around every
 * resolver. Throws a SetupError when the application's own code asks for something impossible.
 *
 * @param isSorted whether to sort types and fields by name, as introspection shows them. Pass false if you sort the
 *   schema anyway: sorting takes as long as building it.
 */
export const createGraphqlSchema = (
  declarations: Declarations,
  config: SchemaConfig,
  isSorted = true,
): GraphQLSchema => {
  const { policies = {}, middlewares = {} } = declarations.app ?? {};
  const input = { ...declarations, config, isSorted, extension: registered(declarations) };
  const { schema: generated, extensions, prunable } = generate(input, []);
  const schema = pruned(withDefinitions(generated, extensions), prunable);
  const configs = resolverConfigs(extensions);
  checkPlaces(schema, [...configs.keys()]);
  guardSchema(schema, configs, { policies, middlewares });
  checkSchema(schema);
  return schema;
};

/** A rule for a field that does not exist protects nothing: it must have been meant for another field. */
const checkPlaces = (schema: GraphQLSchema, places: readonly string[]): void => {
  if (places.length === 0) return;
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
  );
  const known = new Set(fields);
  for (const place of places) checkKnown("field for resolversConfig", place, known);
};

/** An invalid schema would answer every operation with an error. */
const checkSchema = (schema: GraphQLSchema): void => {
  const faults = validateSchema(schema).map(({ message }) => message);
  if (faults.length > 0) throw new SetupError(`the GraphQL schema is not valid: ${faults.join(" ")}`);
};

interface Generated {
  readonly schema: GraphQLSchema;
  readonly extensions: readonly SchemaExtension[];
  /** Names of types that are left out if nothing refers to them. */
  readonly prunable: ReadonlySet<string>;
}

/** A builder takes its plugins when it is created, so a schema whose extensions ask for plugins is started over. */
const generate = (input: Input, plugins: readonly string[]): Generated => {
  const { extension } = input;
  const { graphql: config, search, events, locales } = input.config;
  const builder: Builder = new SchemaBuilder<GraphqlTypes<GraphqlObjects>>({
    plugins: ["content", ...plugins] as never[],
  });
  const scope = createScope(builder, {
    format: config.format,
    catalog: new Catalog(),
    limits: { defaultLimit: config.defaultLimit, maxLimit: config.amountLimit, withCount: true },
    shadow: extension.shadow,
    filtersZones: search.zoneFilters,
    searches: search.engine !== undefined,
    fallsBack: locales.fallback !== undefined,
  });
  builder.queryType({});
  builder.mutationType({});
  addScalars(scope);
  if (config.shadowCRUD) addGenerated(scope, input);
  if (events?.stream) addEventFields(scope);
  // The same builder, with the context type that gives the application the services its hooks get.
  const extensions = added(() => extension.applied({ builder: builder as never }));
  const asked = [...new Set(extensions.flatMap((extension) => extension.plugins ?? []))];
  if (asked.length > plugins.length) return generate(input, asked);
  const toSchema = (): GraphQLSchema => builder.toSchema({ sortSchema: input.isSorted });
  const schema = extensions.length > 0 ? added(toSchema) : toSchema();
  return { schema, extensions, prunable: prunableTypes(scope) };
};

/** All types generated for content. Components stay, whether or not anything uses them. */
const prunableTypes = ({ refs, catalog }: Scope): ReadonlySet<string> => {
  const components = new Set(catalog.all.filter(({ type }) => type === undefined).map(({ name }) => name));
  return new Set(refs.names.filter((name) => !components.has(name)));
};

/** Runs the application's own code, or something that fails only because of it. */
const added = <Result>(work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`what app.ts adds to the GraphQL schema is wrong: ${messageOf(error)}`, { cause: error });
  }
};

const addGenerated = (scope: Scope, { modules }: Input): void => {
  for (const declare of [uploadFileGraphql, ...modules]) declare(scope.builder);
  addLocaleFields(scope);
  addAccountFields(scope);
  addRoleFields(scope);
  addUserFields(scope);
  addFileFields(scope);
};

/** Merges the extensions' type definitions and resolvers into the generated schema. */
const withDefinitions = (schema: GraphQLSchema, extensions: readonly SchemaExtension[]): GraphQLSchema => {
  const typeDefs = extensions.flatMap((extension) => extension.typeDefs ?? []);
  const resolvers = extensions.flatMap((extension) => (extension.resolvers ? [extension.resolvers] : []));
  if (typeDefs.length === 0 && resolvers.length === 0) return schema;
  return added(() => mergeSchemas({ schemas: [schema], typeDefs, resolvers }));
};

const isEmpty = (type: GraphQLObjectType | null | undefined): boolean =>
  type !== null && type !== undefined && Object.keys(type.getFields()).length === 0;

/**
 * Removes generated types that nothing refers to; types that the application adds stay. GraphQL allows no object
 * without fields, so a schema without mutations has no `Mutation`.
 */
const pruned = (schema: GraphQLSchema, prunable: ReadonlySet<string>): GraphQLSchema => {
  const { query, mutation, types, ...rest } = schema.toConfig();
  if (isEmpty(query)) {
    throw new SetupError("GraphQL has nothing to serve: graphql.shadowCRUD is false, and app.ts adds no query");
  }
  const roots = isEmpty(mutation) ? { query } : { query, mutation };
  const kept = types.filter((type) => type !== mutation && !isEnumType(type) && !prunable.has(type.name));
  return new GraphQLSchema({ ...rest, ...roots, types: kept });
};

/** For each field, the first configuration wins. */
const resolverConfigs = (extensions: readonly SchemaExtension[]): ReadonlyMap<string, ResolverConfig> => {
  const configs = new Map<string, ResolverConfig>();
  for (const { resolversConfig = {} } of extensions) {
    for (const [place, config] of Object.entries(resolversConfig)) {
      configs.set(place, { ...config, ...configs.get(place) });
    }
  }
  return configs;
};
