/** Bundles generated and user code with esbuild; only loaded when something has changed since the last build. */
import path from "node:path";
import { build, type BuildFailure, formatMessages, type Message, type OutputFile, type Plugin } from "esbuild";
import { SetupError } from "../../base/setup-error.ts";
import { resolveShared, sharedPackages } from "./shared-packages.ts";

export interface Bundle {
  /** The bundle first, then its source map. */
  readonly outputs: readonly OutputFile[];
  /** Paths relative to the root. */
  readonly inputs: readonly string[];
}

/** What is wrong with the code of the application; the message is ready to be printed. */
export class BundleError extends SetupError {
  /** Files that it is wrong in, and those that are missing, without an extension where the import had none; absolute. */
  readonly files: readonly string[];

  constructor(message: string, files: readonly string[], options?: ErrorOptions) {
    super(message, options);
    this.files = files;
  }
}

const sharedInstances: Plugin = {
  name: "shared-instances",
  setup(build) {
    build.onResolve({ filter: sharedPackages }, ({ path: specifier }) => {
      const address = resolveShared(specifier);
      return address === undefined
        ? { errors: [{ text: `"${specifier}" is not an entry of its package` }] }
        : { path: address, external: true };
    });
  },
};

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && "errors" in error && Array.isArray(error.errors);

const UNRESOLVED = /^Could not resolve "(\.{1,2}\/[^"]*)"/;

/** Where a change can mend what a message is about. */
const filesOf = ({ text, location }: Message, folder: string): readonly string[] => {
  if (location === null) return [];
  const file = path.resolve(folder, location.file);
  const missing = UNRESOLVED.exec(text)?.[1];
  return missing === undefined ? [file] : [file, path.resolve(path.dirname(file), missing)];
};

/** What a failed build in `folder` says, as a {@link BundleError}; any other error as it is. */
export const toBundleError = async (error: unknown, folder: string): Promise<unknown> => {
  if (!isBuildFailure(error)) return error;
  const messages = await formatMessages(error.errors, { kind: "error", color: process.stderr.isTTY === true });
  const files = error.errors.flatMap((each) => filesOf(each, folder));
  return new BundleError(messages.join("").trimEnd(), files, { cause: error });
};

/**
 * Bundles `entry` and everything that it imports from the application into one module; packages stay imports.
 * Throws a {@link BundleError} that shows where the code is wrong.
 */
export const bundle = async (root: string, name: string, entry: string, folder: string): Promise<Bundle> => {
  try {
    const { metafile, outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: { [name]: entry },
      outdir: folder,
      entryNames: "[name]-[hash]",
      outExtension: { ".js": ".mjs" },
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      packages: "external",
      plugins: [sharedInstances],
      charset: "utf8",
      sourcemap: true,
      sourcesContent: false,
      metafile: true,
      write: false,
      logLevel: "silent",
    });
    const outputs = outputFiles.toSorted((a, b) => a.path.length - b.path.length);
    return { outputs, inputs: Object.keys(metafile.inputs) };
  } catch (error) {
    throw await toBundleError(error, root);
  }
};
