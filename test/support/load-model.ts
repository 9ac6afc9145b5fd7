import { locate } from "../../generator/diagnostics/positions.ts";
import { printDiagnostics } from "../../generator/diagnostics/print.ts";
import { buildModel } from "../../generator/model/build.ts";
import type { Model } from "../../generator/model/model.ts";
import { loadSchemas } from "../../generator/schema/load.ts";

export interface Loaded {
  readonly model: Model;
  /** What `cms generate` prints about the schema files, without colours. */
  readonly stderr: string;
}

/** Loads the schema files below `root` as `cms generate` does. */
export const loadModel = async (root: string, from = "content-types"): Promise<Loaded> => {
  const { files, extensions, broken, diagnostics: faults, texts } = loadSchemas({ root, from });
  const { model, diagnostics } = buildModel(files, broken, extensions);
  const located = locate([...faults, ...diagnostics], (file) => texts.get(file));
  return { model, stderr: printDiagnostics(located) };
};
