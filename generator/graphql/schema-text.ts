/** Builds the schema that a project's server will serve, and prints it. */
import type { Config } from "../../runtime/config/config.ts";
import { createGraphqlSchema } from "../../runtime/graphql/create-schema.ts";
import { type DeclarationSource, loadDeclarations } from "./load-declarations.ts";
import { printSdl } from "./print-sdl.ts";

export interface SchemaText {
  readonly sdl: string;
  /** Absolute paths of the user's files that were run. */
  readonly inputs: readonly string[];
}

/** The schema definition language of a project. */
export const schemaText = async (source: DeclarationSource & { graphql: Config["graphql"] }): Promise<SchemaText> => {
  const { declarations, inputs } = await loadDeclarations(source);
  return { sdl: printSdl(createGraphqlSchema(declarations, source.graphql)), inputs };
};
