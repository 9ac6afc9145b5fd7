/** `schema.graphql`: the GraphQL schema that the server serves, for reviewers and for client tools. */
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";
import type { Application } from "../../runtime/app/application.ts";
import { createGraphqlSchema, declarationsOf, type SchemaConfig } from "../../runtime/graphql/create-schema.ts";
import { formatted } from "../emit/format.ts";

/** The schema in SDL, types and fields sorted by name: the order of schema files does not matter. */
export const printSdl = (schema: GraphQLSchema): Promise<string> =>
  formatted("schema.graphql", printSchema(lexicographicSortSchema(schema)));

/** The text of the file, without its header. */
export const schemaText = (application: Application, config: SchemaConfig): Promise<string> =>
  printSdl(createGraphqlSchema(declarationsOf(application), config, false));
