/** From a project's schema files to its model. Separate from the project: an unchanged run needs no model. */
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { locate } from "../../diagnostics/positions.ts";
import { buildModel } from "../../model/build.ts";
import { loadSchemas } from "../../schema/load.ts";
import type { Project } from "./project.ts";

/** Reads and resolves the schema files; problems go to `diagnostics`. No model if errors prevent writing files. */
export const loadModel = async ({ root, from, customFields }: Pick<Project, "root" | "from" | "customFields">) => {
  const { files, extensions, broken, diagnostics, texts } = loadSchemas({ root, from });
  const built = buildModel(files, broken, extensions, customFields);
  const all = [...diagnostics, ...built.diagnostics];
  const located = locate(all, (file) => texts.get(file));
  return { model: hasErrors(all) ? undefined : built.model, diagnostics: located };
};
