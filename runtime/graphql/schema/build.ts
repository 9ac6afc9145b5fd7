/** Builds the GraphQL schema of one application. */
import { mergeSchemas } from "@graphql-tools/schema";
import SchemaBuilder from "@pothos/core";
import { type GraphQLObjectType, GraphQLSchema, isEnumType, isObjectType, validateSchema } from "graphql";
import { SetupError } from "../../base/setup-error.ts";
import { messageOf } from "../../base/thrown.ts";
import type { Builder, GraphqlModule, GraphqlObjects, GraphqlTypes } from "../builder.ts";
import type { NamedHandlers, ResolverConfig } from "../extension/resolver-config.ts";
import type { GraphqlExtension, SchemaExtension } from "../extension/service.ts";
import { checkKnown } from "../extension/shadow-crud.ts";
import type { OperationScope } from "../operations/operations.ts";
import "../plugin/plugin.ts";
import { uploadFileGraphql } from "../upload-file.ts";
import { addAccountFields } from "./account-fields.ts";
import { addFileFields } from "./file-fields.ts";
import { guardSchema } from "./guards.ts";
import { addLocaleFields } from "./locale-fields.ts";
import { addRoleFields } from "./role-fields.ts";
import { createScope, type Scope } from "./scope.ts";
import { addScalars } from "./shared-types.ts";
import { addUserFields } from "./user-fields.ts";

export interface SchemaInput extends OperationScope {
  /** False: only what the application adds itself. */
  readonly shadowCRUD: boolean;
  /** What declares the content types and components. */
  readonly modules: readonly GraphqlModule[];
  readonly extension: GraphqlExtension;
  readonly handlers: NamedHandlers;
  /** Whether types and fields are sorted by name, as clients find them in introspection. */
  readonly isSorted: boolean;
}

/**
 * The executable schema: generated types first, then what the extension service added, then the checks around every
 * resolver. Throws when an extension names what does not exist.
 */
export const buildSchema = (input: SchemaInput): GraphQLSchema => {
  const { schema: generated, extensions, prunable } = generate(input, []);
  const schema = pruned(withDefinitions(generated, extensions), prunable);
  const configs = resolverConfigs(extensions);
  checkPlaces(schema, [...configs.keys()]);
  guardSchema(schema, configs, input.handlers);
  checkSchema(schema);
  return schema;
};

/** A rule for a field that is not there protects nothing: it must have been meant for another. */
const checkPlaces = (schema: GraphQLSchema, places: readonly string[]): void => {
  if (places.length === 0) return;
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
  );
  const known = new Set(fields);
  for (const place of places) checkKnown("field for resolversConfig", place, known);
};

/** A schema that GraphQL does not allow would answer every operation with a fault. */
const checkSchema = (schema: GraphQLSchema): void => {
  const faults = validateSchema(schema).map(({ message }) => message);
  if (faults.length > 0) throw new SetupError(`the GraphQL schema is not valid: ${faults.join(" ")}`);
};

interface Generated {
  readonly schema: GraphQLSchema;
  readonly extensions: readonly SchemaExtension[];
  /** Names of types that are left out where nothing leads to them. */
  readonly prunable: ReadonlySet<string>;
}

/** Plugins have to be there when the builder is made, so a schema whose extensions ask for some is begun again with them. */
const generate = (input: SchemaInput, plugins: readonly string[]): Generated => {
  const { format, catalog, limits, extension } = input;
  const builder: Builder = new SchemaBuilder<GraphqlTypes<GraphqlObjects>>({
    plugins: ["content", ...plugins] as never[],
  });
  const scope = createScope(builder, { format, catalog, limits, shadow: extension.shadow });
  builder.queryType({});
  builder.mutationType({});
  addScalars(scope);
  if (input.shadowCRUD) addGenerated(scope, input);
  const extensions = added(() => extension.applied({ builder }));
  const asked = [...new Set(extensions.flatMap((extension) => extension.plugins ?? []))];
  if (asked.length > plugins.length) return generate(input, asked);
  const toSchema = (): GraphQLSchema => builder.toSchema({ sortSchema: input.isSorted });
  const schema = extensions.length > 0 ? added(toSchema) : toSchema();
  return { schema, extensions, prunable: prunableTypes(scope) };
};

/** All that was made for content; components stay, whether or not anything uses them. */
const prunableTypes = ({ refs, catalog }: Scope): ReadonlySet<string> => {
  const components = new Set(catalog.all.filter(({ type }) => type === undefined).map(({ name }) => name));
  return new Set(refs.names.filter((name) => !components.has(name)));
};

/** Code of the application's, or something that fails only because of it. */
const added = <Result>(work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(`what app.ts adds to the GraphQL schema is wrong: ${messageOf(error)}`, { cause: error });
  }
};

const addGenerated = (scope: Scope, { modules }: SchemaInput): void => {
  for (const declare of [uploadFileGraphql, ...modules]) declare(scope.builder);
  addLocaleFields(scope);
  addAccountFields(scope);
  addRoleFields(scope);
  addUserFields(scope);
  addFileFields(scope);
};

/** Merges what was written in the schema definition language, and resolvers, into the generated schema. */
const withDefinitions = (schema: GraphQLSchema, extensions: readonly SchemaExtension[]): GraphQLSchema => {
  const typeDefs = extensions.flatMap((extension) => extension.typeDefs ?? []);
  const resolvers = extensions.flatMap((extension) => (extension.resolvers ? [extension.resolvers] : []));
  if (typeDefs.length === 0 && resolvers.length === 0) return schema;
  return added(() => mergeSchemas({ schemas: [schema], typeDefs, resolvers }));
};

const isEmpty = (type: GraphQLObjectType | null | undefined): boolean =>
  type !== null && type !== undefined && Object.keys(type.getFields()).length === 0;

/**
 * Without the types that nothing leads to, as far as they were generated: what the application adds itself stays. GraphQL
 * knows no object without fields, so a schema without mutations has no `Mutation`.
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

/** Per place, what was said first holds. */
const resolverConfigs = (extensions: readonly SchemaExtension[]): ReadonlyMap<string, ResolverConfig> => {
  const configs = new Map<string, ResolverConfig>();
  for (const { resolversConfig = {} } of extensions) {
    for (const [place, config] of Object.entries(resolversConfig)) {
      configs.set(place, { ...config, ...configs.get(place) });
    }
  }
  return configs;
};
