/** Bundles generated and user code with esbuild. Loaded only if something has changed since the last build. */
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import path from "node:path";
import { build, type BuildFailure, type BuildOptions, formatMessages, type Message, type Plugin } from "esbuild";
import { notInstalled, SetupError } from "../../base/thrown.ts";
import { resolveShared, sharedPackages } from "./shared-packages.ts";

export interface ModuleSource {
  /** The folder of the application; bundles are written to its `.cms/build`. */
  readonly root: string;
  /** The name of the bundle: `app`, `seed`, `config`. */
  readonly name: string;
  /** The entry file, relative to the root. */
  readonly entry: string;
  /** Whether `import.meta` and `__dirname` refer to the source file, and not to the bundle. */
  readonly tellsPlaces?: boolean;
  /** Whether it runs in the panel, and includes the packages that it imports. */
  readonly isForBrowsers?: boolean;
}

/** Faults in the application's code. The message is ready to be printed. */
export class BundleError extends SetupError {
  /** Absolute paths of the faulty files, and of missing ones (without an extension if the import had none). */
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

/** Inputs that are no files: the panel's packages, and what packages leave out for browsers. */
const NO_FILE = /^(?:panel|\(disabled\)):/;

const PANEL_PACKAGES = /^(?:react|react-dom|react\/jsx-runtime|galley-cms\/panel)$/;

/** The panel's own instances of packages. Two instances of React on one page would not work together. */
const panelInstances: Plugin = {
  name: "panel-instances",
  setup(build) {
    const namespace = "panel";
    build.onResolve({ filter: PANEL_PACKAGES }, ({ path: specifier }) => ({ path: specifier, namespace }));
    build.onLoad({ filter: /./, namespace }, ({ path: specifier }) => ({
      contents: `module.exports = globalThis.galleyPanel[${JSON.stringify(specifier)}]`,
    }));
  },
};

const FOR_BROWSERS: BuildOptions = {
  platform: "browser",
  target: "es2022",
  packages: "bundle",
  plugins: [panelInstances],
  jsx: "automatic",
  banner: {},
  define: { "process.env.NODE_ENV": '"production"' },
  minify: true,
  sourcemap: false,
};

/** Defines `require`, which CommonJS packages in the bundle use. */
export const REQUIRE =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/** The expressions with which a module finds its own location, and the variables that replace them in a bundle. */
const PLACES = {
  "import.meta.url": "__moduleUrl",
  "import.meta.dirname": "__moduleFolder",
  "import.meta.filename": "__moduleFile",
  __dirname: "__moduleFolder",
  __filename: "__moduleFile",
};

const ASKS_PLACE = /\bimport\.meta\b|\b__(?:dirname|filename)\b/;

/** Computes the bundle's location when it runs, since it may have been copied together with the source files. */
const BUNDLE_PLACE =
  'import { dirname as __folderOf } from "node:path"; import { fileURLToPath as __pathOf } from "node:url"; const __bundleUrl = import.meta.url;';

/** A plugin that defines the variables of {@link PLACES} in modules that use them, for a bundle in `folder`. */
const placesIn = (folder: string): Plugin => ({
  name: "places",
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      if (!ASKS_PLACE.test(text)) return undefined;
      const way = path.relative(folder, file).split(path.sep).map(encodeURIComponent).join("/");
      const variables = `const __moduleUrl = new URL(${JSON.stringify(way)}, __bundleUrl).href, __moduleFile = __pathOf(__moduleUrl), __moduleFolder = __folderOf(__moduleFile);`;
      return { contents: variables + text, loader: file.endsWith("ts") ? "ts" : "js" };
    });
  },
});

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && "errors" in error && Array.isArray(error.errors);

const UNRESOLVED = /^Could not resolve "(\.{1,2}\/[^"]*)"/;

/** The files in which a change could fix what a message reports. */
const filesOf = ({ text, location }: Message, folder: string): readonly string[] => {
  if (location === null) return [];
  const file = path.resolve(folder, location.file);
  const missing = UNRESOLVED.exec(text)?.[1];
  return missing === undefined ? [file] : [file, path.resolve(path.dirname(file), missing)];
};

const MISSING_PACKAGE = /^Could not resolve "((?:@[^/"]+\/)?[^./"][^/"]*)/;

/** The message with what to do about a package that is not installed, in place of the bundler's advice. */
const withRemedy = (message: Message): Message => {
  const name = MISSING_PACKAGE.exec(message.text)?.[1];
  if (name === undefined) return message;
  const text = isBuiltin(name) ? `"${name}" is a part of Node, which browsers do not have` : notInstalled(name);
  return { ...message, notes: [{ text, location: null }] };
};

/** The message with the path of its file as seen from the working directory, where editors and terminals find it. */
const fromHere = (message: Message, folder: string): Message => {
  const { location } = message;
  if (location === null || !["", "file"].includes(location.namespace)) return message;
  const file = path.relative(process.cwd(), path.resolve(folder, location.file));
  return { ...message, location: { ...location, file } };
};

/** The error of a failed build in `folder` as a {@link BundleError}; returns other errors unchanged. */
export const toBundleError = async (error: unknown, folder: string): Promise<unknown> => {
  if (!isBuildFailure(error)) return error;
  const shown = error.errors.map((each) => withRemedy(fromHere(each, folder)));
  const messages = await formatMessages(shown, {
    kind: "error",
    color: process.stderr.isTTY && !process.env["NO_COLOR"],
  });
  const files = error.errors.flatMap((each) => filesOf(each, folder));
  return new BundleError(messages.join("").trimEnd(), files, { cause: error });
};

/**
 * Bundles `entry` and all application files that it imports into one module; imports of packages stay imports. Throws a
 * {@link BundleError} that shows where the code is wrong.
 */
export const bundle = async (source: ModuleSource, folder: string) => {
  const { root, name, entry, tellsPlaces = false, isForBrowsers = false } = source;
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
      plugins: [sharedInstances, ...(tellsPlaces ? [placesIn(folder)] : [])],
      define: tellsPlaces ? PLACES : {},
      banner: { js: tellsPlaces ? `${REQUIRE} ${BUNDLE_PLACE}` : REQUIRE },
      charset: "utf8",
      sourcemap: true,
      sourcesContent: false,
      logLevel: "silent",
      ...(isForBrowsers ? FOR_BROWSERS : {}),
      metafile: true,
      write: false,
    });
    // The bundle, followed by its source map.
    const outputs = outputFiles.toSorted((a, b) => a.path.length - b.path.length);
    return { outputs, inputs: Object.keys(metafile.inputs).filter((input) => !NO_FILE.test(input)) };
  } catch (error) {
    throw await toBundleError(error, root);
  }
};
