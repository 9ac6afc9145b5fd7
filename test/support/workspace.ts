/** Scratch folders inside the repository, where generated code finds the package by its own name. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { atEndOfTest, repository, run, type Run } from "./cms.ts";

/** A folder with a copy of `source` in it (all of it), removed at the end of the test. */
export const workspace = (source?: string, atEnd = atEndOfTest): string => {
  const parent = path.join(repository, ".cms", "test");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, "workspace-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  if (source !== undefined) cpSync(source, folder, { recursive: true });
  return folder;
};

/** Writes files by path relative to `folder`. */
export const writeFiles = (folder: string, files: Iterable<readonly [string, string]>): void => {
  for (const [name, text] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
};

/**
 * Type-checks `generated/`, or what `include` names, in a workspace under the repository's own strict options, against the declarations that were
 * built: so do projects that have the package, and the runtime's sources are not checked again each time.
 */
export const typeCheck = (folder: string, include: readonly string[] = ["generated"]): Promise<Run> => {
  configure(folder, include);
  return compile("-p", folder);
};

/** The same for several projects, each by itself, in one process that reads the declarations they share once. */
export const typeCheckEach = (folders: readonly string[], include: readonly string[] = ["generated"]): Promise<Run> => {
  for (const folder of folders) configure(folder, include);
  return compile("--build", ...folders);
};

const configure = (folder: string, include: readonly string[]): void => {
  const configuration = {
    extends: path.join(repository, "tsconfig.json"),
    compilerOptions: { paths: {} },
    include,
    exclude: [],
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(configuration));
};

/** On one thread: several work out the types of packages several times, and other tests have the processors meanwhile. */
const compile = (...args: readonly string[]): Promise<Run> => {
  const compiler = path.join(repository, "node_modules", "typescript-7", "bin", "tsc");
  return run(process.execPath, [compiler, ...args, "--singleThreaded"], { cwd: repository });
};

/** Asks the repository's formatter whether it would change anything in a folder outside of git's ignored ones. */
export const checkFormat = (folder: string): Promise<Run> => {
  const formatter = path.join(repository, "node_modules", "oxfmt", "bin", "oxfmt");
  return run(process.execPath, [formatter, "--check", "-c", path.join(repository, ".oxfmtrc.json"), "."], {
    cwd: folder,
  });
};
