/** Renames an attribute in the project's TypeScript, by symbol: strings and other things of that name stay. */
import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Project, type SourceFile } from "ts-morph";

export interface CodeRename {
  readonly root: string;
  /** The generated file with the interface, absolute. */
  readonly file: string;
  readonly interface: string;
  readonly from: string;
  readonly to: string;
  /** The output folder, absolute: generated files are not edited. */
  readonly generated: string;
}

const open = (root: string): Project => {
  const tsConfigFilePath = path.join(root, "tsconfig.json");
  if (existsSync(tsConfigFilePath)) return new Project({ tsConfigFilePath });
  const project = new Project({ compilerOptions: { target: 9, module: 199, moduleResolution: 99, strict: true } });
  project.addSourceFilesAtPaths([`${root}/**/*.ts`, `!${root}/node_modules/**`, `!${root}/.cms/**`]);
  return project;
};

const lines = (text: string): readonly string[] => text.split("\n");

/** Lines that differ, as `file:line`. */
const changedLines = (root: string, file: SourceFile, before: string): string[] => {
  const old = lines(before);
  return lines(file.getFullText()).flatMap((line, index) =>
    line === old[index] ? [] : [`${path.relative(root, file.getFilePath())}:${index + 1}`],
  );
};

export type RenamedCode = ReturnType<typeof renameInCode>;

/** Renames in every file that is not generated, and saves those files. Returns the places, as `file:line`. */
export const renameInCode = ({ root, file, from, to, generated, ...rename }: CodeRename) => {
  const project = open(root);
  const declaration = (project.getSourceFile(file) ?? project.addSourceFileAtPathIfExists(file))
    ?.getInterface(rename.interface)
    ?.getProperty(from);
  if (!declaration) return { places: [], undo: () => {} };
  const own = project.getSourceFiles().filter((source) => !source.getFilePath().startsWith(`${generated}/`));
  const before = new Map(own.map((source) => [source, source.getFullText()]));
  declaration.rename(to, { renameInComments: false, renameInStrings: false, usePrefixAndSuffixText: true });
  const places: string[] = [];
  const saved = new Map<string, string>();
  for (const [source, text] of before) {
    const changed = changedLines(root, source, text);
    if (changed.length === 0) continue;
    places.push(...changed);
    saved.set(source.getFilePath(), text);
    source.saveSync();
  }
  return {
    places,
    /** Restores the files. */
    undo(): void {
      for (const [name, text] of saved) writeFileSync(name, text);
    },
  };
};
