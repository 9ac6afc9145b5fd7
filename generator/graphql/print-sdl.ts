/** Prints a schema as the formatter leaves it. */
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";
import { formatted } from "../emit/format.ts";

/** The schema in its definition language, types and fields sorted by name: the order says nothing about schema files. */
export const printSdl = (schema: GraphQLSchema): Promise<string> =>
  formatted("schema.graphql", printSchema(lexicographicSortSchema(schema)));
