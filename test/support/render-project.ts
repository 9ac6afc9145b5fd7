/** Renders a project in memory, as `cms generate` does before it writes. */
import path from "node:path";
import { schemaText } from "../../generator/artifacts/graphql-schema.ts";
import { loadApplication } from "../../generator/artifacts/load-application.ts";
import { loadModel } from "../../generator/commands/generate/load-model.ts";
import type { Project } from "../../generator/commands/generate/project.ts";
import { emit } from "../../generator/emit/emit.ts";
import { formattedFiles } from "../../generator/emit/format.ts";
import type { Application } from "../../runtime/app/application.ts";
import { configSchema } from "../../runtime/config/config.ts";

type GraphqlFormat = Project["graphql"]["format"];

export const projectIn = (root: string, format: GraphqlFormat = "entity"): Project => ({
  root,
  folder: path.join(root, "generated"),
  name: "generated",
  toRoot: "..",
  app: undefined,
  from: path.join(root, "content-types"),
  defaultLocale: "en",
  ...configSchema.parse({ graphql: { format } }),
  client: true,
  customFields: {},
});

/** The generated files of the project in `root`, by path below `generated/`; fails when its schema files have errors. */
export const renderProject = async (
  root: string,
  format: GraphqlFormat = "entity",
): Promise<ReadonlyMap<string, string>> => {
  const project = projectIn(root, format);
  const { model, diagnostics } = await loadModel(project);
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const files = await formattedFiles(emit(model, project));
  return new Map(files.map(({ path, text }) => [path, text]));
};

/** What the generated code of the project in `root` exports, without its `app.ts`. */
export const applicationOf = async (root: string, format: GraphqlFormat = "entity"): Promise<Application> => {
  const project = projectIn(root, format);
  const { model } = await loadModel(project);
  if (model === undefined) throw new Error(`the schema files in ${root} have errors`);
  const { application } = await loadApplication({ ...project, own: [], rendered: emit(model, project) });
  return application;
};

/** The GraphQL schema of the project in `root`, without its `app.ts`. */
export const sdlOf = async (root: string, format: GraphqlFormat): Promise<string> =>
  schemaText(await applicationOf(root, format), configSchema.parse({ graphql: { format } }));
