/** From a project's schema files to its model. Apart from the project itself: a run that changes nothing needs no model. */
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { locate } from "../../diagnostics/positions.ts";
import { buildModel } from "../../model/build.ts";
import { loadSchemas } from "../../schema/load.ts";
import type { Project } from "./project.ts";

/** Reads the schema files and resolves them; what is wrong with them is in `diagnostics`. There is no model where errors keep files from being written. */
export const loadModel = async ({ root, from, customFields }: Pick<Project, "root" | "from" | "customFields">) => {
  const { files, extensions, broken, diagnostics, texts } = loadSchemas({ root, from });
  const built = buildModel(files, broken, extensions, customFields);
  const all = [...diagnostics, ...built.diagnostics];
  const located = locate(all, (file) => texts.get(file));
  return { model: hasErrors(all) ? undefined : built.model, diagnostics: located };
};
