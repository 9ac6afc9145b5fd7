/** Runs rendered files and the project's own code, to get the application exactly as the server will load it. */
import { rmSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Application } from "../../runtime/app/application.ts";
import { writePrivateFile } from "../../runtime/base/private-folder.ts";
import { isFileFault, loadFailureOf, SetupError } from "../../runtime/base/thrown.ts";
import type { OutputFile } from "../output/manifest.ts";
import { bundleRendered } from "../rendered/bundle-rendered.ts";
import { tablesOf } from "../rendered/exported-tables.ts";
import { exportTables, tableFilesIn } from "../rendered/table-files.ts";

export interface ApplicationSource {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The output folder, absolute. */
  readonly folder: string;
  /** Project code that rendered files import, relative to the root. */
  readonly own: readonly string[];
  readonly rendered: readonly (OutputFile & {
    /** Whether the file on disk has this text. */
    readonly isKept?: boolean;
  })[];
}

type Rendered = ApplicationSource["rendered"];

const entryOf = (rendered: Rendered): string =>
  `export { default } from "./index.ts";\n${exportTables(tableFilesIn(rendered).map(({ path: file }) => file))}\n`;

type ApplicationModule = { readonly default: Application } & Readonly<Record<string, unknown>>;

/** Imports code from a file in `folder`, which is inside the project, so that its package imports resolve. */
const importCode = async (folder: string, code: string): Promise<ApplicationModule> => {
  const file = path.join(folder, `application-${process.pid}-${performance.now()}.mjs`);
  writePrivateFile(file, code);
  process.setSourceMapsEnabled(true);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file);
  }
};

/**
 * Returns the application, the absolute paths of the user files that were run, and the exports of the rendered table
 * files and of the runtime's own. Throws a SetupError if the project's own code fails.
 */
export const loadApplication = async (source: ApplicationSource) => {
  const { root, folder, own, rendered } = source;
  const files = new Map(rendered.map(({ path: file, text, isKept }) => [file, isKept ? undefined : text]));
  const runsIn = path.join(root, ".cms", "build");
  const trace = own.length > 0 ? { runsIn } : {};
  const { code, inputs } = await bundleRendered({ folder, files, entry: entryOf(rendered), ...trace });
  try {
    const module = await importCode(runsIn, code);
    return { application: module.default, inputs, tables: tablesOf(module) };
  } catch (error) {
    if (own.length === 0 || isFileFault(error)) throw error;
    throw new SetupError(`${own.join(", ")}, or what it imports, fails to load: ${loadFailureOf(error)}`, {
      cause: error,
    });
  }
};
