/** Builds the schema that a project's server will serve, and prints it. */
import type { GraphQLSchema } from "graphql";
import type { Config } from "../../runtime/config.ts";
import { createGraphqlSchema, type Declarations } from "../../runtime/graphql/create-schema.ts";
import { SetupError } from "../../runtime/setup-error.ts";
import { type DeclarationSource, loadDeclarations } from "./load-declarations.ts";
import { printSdl } from "./print-sdl.ts";

export interface SchemaText {
  readonly sdl: string;
  /** Absolute paths of the user's files that were run. */
  readonly inputs: readonly string[];
}

const build = (declarations: Declarations, graphql: Config["graphql"], app: string | undefined): GraphQLSchema => {
  try {
    return createGraphqlSchema(declarations, graphql);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const cause = app === undefined ? "" : `; ${app} has a part in it`;
    throw new SetupError(`the GraphQL schema cannot be built${cause}: ${message}`, { cause: error });
  }
};

/** The schema definition language of a project. */
export const schemaText = async (source: DeclarationSource & { graphql: Config["graphql"] }): Promise<SchemaText> => {
  const { declarations, inputs } = await loadDeclarations(source);
  return { sdl: printSdl(build(declarations, source.graphql, source.app)), inputs };
};
