/** From a project's schema files to its model. Apart from the project itself: a run that changes nothing needs no model. */
import { hasErrors } from "../../diagnostics/diagnostic.ts";
import { locate, type LocatedDiagnostic } from "../../diagnostics/positions.ts";
import { buildModel } from "../../model/build.ts";
import type { Model } from "../../model/model.ts";
import { loadSchemas } from "../../schema/load.ts";
import type { Project } from "./project.ts";

export interface LoadedModel {
  /** Undefined when errors keep files from being written. */
  readonly model: Model | undefined;
  readonly diagnostics: readonly LocatedDiagnostic[];
}

/** Reads the schema files and resolves them; what is wrong with them is in `diagnostics`. */
export const loadModel = async ({
  root,
  from,
  customFields,
}: Pick<Project, "root" | "from" | "customFields">): Promise<LoadedModel> => {
  const { files, extensions, broken, diagnostics, texts } = loadSchemas({ root, from });
  const built = buildModel(files, broken, extensions, customFields);
  const all = [...diagnostics, ...built.diagnostics];
  const located = locate(all, (file) => texts.get(file));
  return { model: hasErrors(all) ? undefined : built.model, diagnostics: located };
};
