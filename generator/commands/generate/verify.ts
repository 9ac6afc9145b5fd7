/** `cms generate --verify`: type-checks rendered files before they are written. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Project as TypeScriptProject, ts } from "ts-morph";
import type { OutputFile } from "../../output/plan.ts";
import type { Project } from "./project.ts";
import { strictOptions } from "./strict-options.ts";

/** Checks the rendered files as if they were in the output folder; returns the errors, or "". */
export const verifyTypes = ({ root, folder }: Project, rendered: readonly OutputFile[]): string => {
  const tsConfigFilePath = join(root, "tsconfig.json");
  // As strict as we promise for generated code in a project without a tsconfig.json.
  const strict = () => ts.convertCompilerOptionsFromJson(strictOptions, root).options;
  const program = new TypeScriptProject({
    ...(existsSync(tsConfigFilePath) ? { tsConfigFilePath } : { compilerOptions: strict() }),
    skipAddingFilesFromTsConfig: true,
  });
  const code = rendered.filter(({ path }) => path.endsWith(".ts"));
  const files = code.map(({ path, text }) => program.createSourceFile(join(folder, path), text, { overwrite: true }));
  const diagnostics = files.flatMap((file) => file.getPreEmitDiagnostics());
  return ts.formatDiagnostics(
    diagnostics.map(({ compilerObject }) => compilerObject),
    { getCanonicalFileName: (file) => file, getCurrentDirectory: () => root, getNewLine: () => "\n" },
  );
};
