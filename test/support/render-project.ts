/** Renders a project in memory, as `cms generate` does before it writes. */
import path from "node:path";
import { loadModel, type Project } from "../../generator/commands/generate/project.ts";
import { emit } from "../../generator/emit/emit.ts";

export const projectIn = (root: string): Project => ({
  root,
  folder: path.join(root, "generated"),
  name: "generated",
  toRoot: "..",
  app: undefined,
  from: path.join(root, "content-types"),
  defaultLocale: "en",
});

/** The generated files of the project in `root`, by path below `generated/`; fails when its schema files have errors. */
export const renderProject = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const { model, diagnostics } = await loadModel(projectIn(root));
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return new Map(emit(model, { toRoot: ".." }).map(({ path, text }) => [path, text]));
};
