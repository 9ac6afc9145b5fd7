/** `schema.graphql`: the GraphQL schema as the server will serve it, for reviewers and for tools of clients. */
import type { Application } from "../../runtime/app/application.ts";
import type { Config } from "../../runtime/config/config.ts";
import { createGraphqlSchema, declarationsOf } from "../../runtime/graphql/create-schema.ts";
import { printSdl } from "./print-sdl.ts";

/** The text of the file, without its header. */
export const schemaText = (application: Application, config: Config["graphql"]): Promise<string> =>
  printSdl(createGraphqlSchema(declarationsOf(application), config, false));
