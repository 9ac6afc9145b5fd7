/** Builds the GraphQL schema of one application. */
import { mergeSchemas } from "@graphql-tools/schema";
import { type GraphQLObjectType, GraphQLSchema, isObjectType, validateSchema } from "graphql";
import { SetupError } from "../../base/setup-error.ts";
import { createBuilder } from "../builder.ts";
import type { ComponentDeclaration, TypeDeclaration } from "../declaration.ts";
import type { NamedHandlers, ResolverConfig } from "../extension/resolver-config.ts";
import type { GraphqlExtension, SchemaExtension, SchemaTools } from "../extension/service.ts";
import { checkKnown } from "../extension/shadow-crud.ts";
import type { Operations } from "../operations/operations.ts";
import { UploadFile } from "../upload-file.ts";
import { addAccountFields } from "./account-fields.ts";
import { componentFilters, componentInput, componentObject } from "./component.ts";
import { typeFilters, typeInput, typeObject } from "./content-type.ts";
import { addFileFields } from "./file-fields.ts";
import { guardSchema } from "./guards.ts";
import { addLocaleFields } from "./locale-fields.ts";
import { addMutations } from "./mutations.ts";
import { addQueries } from "./queries.ts";
import { Refs } from "./refs.ts";
import { addRoleFields } from "./role-fields.ts";
import type { GraphqlFormat, Scope } from "./scope.ts";
import { addScalars } from "./shared-types.ts";
import { addUploadFields } from "./upload-fields.ts";
import { addUserFields } from "./user-fields.ts";

export interface SchemaInput {
  readonly format: GraphqlFormat;
  /** False: only what the application adds itself. */
  readonly shadowCRUD: boolean;
  readonly types: readonly TypeDeclaration[];
  readonly components: readonly ComponentDeclaration[];
  readonly extension: GraphqlExtension;
  readonly handlers: NamedHandlers;
  readonly operations: Operations;
}

/**
 * The executable schema: generated types first, then what the extension service added, then the checks around every
 * resolver. Throws when an extension names what does not exist.
 */
export const buildSchema = (input: SchemaInput): GraphQLSchema => {
  const { schema: generated, extensions } = generate(input, []);
  const schema = withoutEmptyRoots(withDefinitions(generated, extensions));
  const configs = resolverConfigs(extensions);
  checkPlaces(schema, configs.keys());
  guardSchema(schema, configs, input.handlers);
  checkSchema(schema);
  return schema;
};

/** A rule for a field that is not there protects nothing: it must have been meant for another. */
const checkPlaces = (schema: GraphQLSchema, places: Iterable<string>): void => {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
  );
  for (const place of places) checkKnown("field for resolversConfig", place, fields);
};

/** A schema that GraphQL does not allow would answer every operation with a fault. */
const checkSchema = (schema: GraphQLSchema): void => {
  const faults = validateSchema(schema).map(({ message }) => message);
  if (faults.length > 0) throw new SetupError(`the GraphQL schema is not valid: ${faults.join(" ")}`);
};

interface Generated {
  readonly schema: GraphQLSchema;
  readonly extensions: readonly SchemaExtension[];
}

/** Plugins have to be there when the builder is made, so a schema whose extensions ask for some is begun again with them. */
const generate = (input: SchemaInput, plugins: readonly string[]): Generated => {
  const builder = createBuilder(plugins);
  const scope: Scope = {
    builder,
    make: {
      object: (declaration) => typeObject(scope, declaration),
      input: (declaration) => typeInput(scope, declaration),
      filters: (declaration) => typeFilters(scope, declaration),
      componentObject: (declaration) => componentObject(scope, declaration),
      componentInput: (declaration) => componentInput(scope, declaration),
      componentFilters: (declaration) => componentFilters(scope, declaration),
    },
    format: input.format,
    refs: new Refs(builder),
    shadow: input.extension.shadow,
    types: new Map(input.types.map((declaration) => [declaration.type.uid, declaration])),
    components: new Map(input.components.map((declaration) => [declaration.component.uid, declaration])),
  };
  builder.queryType({});
  builder.mutationType({});
  addScalars(scope);
  if (input.shadowCRUD) addGeneratedFields(scope, input);
  const extensions = added(() => input.extension.applied(toolsOf(scope)));
  const asked = [...new Set(extensions.flatMap((extension) => extension.plugins ?? []))];
  return asked.length > plugins.length
    ? generate(input, asked)
    : { schema: added(() => builder.toSchema()), extensions };
};

const toolsOf = (scope: Scope): SchemaTools => ({
  builder: scope.builder,
  object: (uid) => {
    const declaration = uid === UploadFile.type.uid ? UploadFile : scope.types.get(uid);
    if (!declaration || scope.shadow.type(uid).isDisabled())
      throw new SetupError(`the schema has no type for "${uid}"`);
    return scope.make.object(declaration);
  },
});

/** Code of the application's, or something that fails only because of it. */
const added = <Result>(work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (error instanceof SetupError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new SetupError(`what app.ts adds to the GraphQL schema is wrong: ${message}`, { cause: error });
  }
};

const addGeneratedFields = (scope: Scope, { types, operations }: SchemaInput): void => {
  addQueries(scope, UploadFile, operations);
  for (const declaration of types) {
    addQueries(scope, declaration, operations);
    // Users and roles are written by operations of their own.
    if (declaration.type.uid.startsWith("api::")) addMutations(scope, declaration, operations);
  }
  addLocaleFields(scope);
  addAccountFields(scope);
  addRoleFields(scope);
  addUserFields(scope, operations);
  addFileFields(scope, operations);
  if (scope.format === "entity" && scope.shadow.offers(UploadFile.type.uid, "create"))
    addUploadFields(scope, operations);
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

/** GraphQL knows no object without fields: a schema without mutations has no `Mutation`. */
const withoutEmptyRoots = (schema: GraphQLSchema): GraphQLSchema => {
  const { query, mutation, types, ...rest } = schema.toConfig();
  if (isEmpty(query)) {
    throw new SetupError("GraphQL has nothing to serve: graphql.shadowCRUD is false, and app.ts adds no query");
  }
  if (!isEmpty(mutation)) return schema;
  const others = types.filter((type) => type !== mutation);
  return new GraphQLSchema({ ...rest, query, types: others });
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
