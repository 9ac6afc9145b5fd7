/** Bundles the program of a production folder: project code, galley-cms, and the packages that both import. */
import { isBuiltin } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, type OnResolveArgs, type OnResolveResult, type Plugin } from "esbuild";
import { REQUIRE, toBundleError } from "../../runtime/app/loader/bundle.ts";
import { resolveShared, sharedPackages } from "../../runtime/app/loader/shared-packages.ts";
import { findPackage, type InstalledPackage, packageAround, packageName } from "./packages.ts";

export interface BundleRequest {
  /** The project's folder. */
  readonly root: string;
  /** The program, as a module. */
  readonly entry: string;
  /** The folder to write the bundle to. */
  readonly folder: string;
  /** Packages to copy instead, besides those that cannot be bundled. */
  readonly copied: readonly string[];
  /** Packages to omit: code that imports them works without. */
  readonly omitted: readonly string[];
}

/** Packages that locate native code by searching for files: whoever needs one must keep its folder. */
const FINDERS = new Set(["node-gyp-build", "bindings", "prebuild-install", "@mapbox/node-pre-gyp", "detect-libc"]);

const isNative = ({ needs }: InstalledPackage): boolean => needs.some((name) => FINDERS.has(name));

const isPackage = (specifier: string): boolean => !/^(?:\.|\/|#|[a-z]:)/i.test(specifier) && !isBuiltin(specifier);

/** Decides for each import of a package: bundle it, or import it at run time. */
class Imports {
  readonly imported = new Map<string, InstalledPackage>();
  readonly #copied: ReadonlySet<string>;
  readonly #omitted: ReadonlySet<string>;

  constructor({ copied, omitted }: BundleRequest) {
    this.#copied = new Set(copied);
    this.#omitted = new Set(omitted);
  }

  /** Undefined leaves the import to esbuild, which bundles it. */
  async resolve({ path: specifier, importer, resolveDir }: OnResolveArgs): Promise<OnResolveResult | undefined> {
    const name = packageName(specifier);
    if (this.#omitted.has(name)) return { path: specifier, external: true };
    // Project code uses our instance of packages that must exist only once.
    if (sharedPackages.test(specifier) && !importer.includes("node_modules")) {
      const address = resolveShared(specifier);
      if (address !== undefined) return { path: fileURLToPath(address) };
    }
    const found = await findPackage(name, resolveDir);
    if (!found || !(this.#copied.has(name) || isNative(found))) return undefined;
    this.imported.set(found.folder, found);
    return { path: specifier, external: true };
  }
}

const importsOf = (imports: Imports): Plugin => ({
  name: "imports",
  setup(build) {
    build.onResolve({ filter: /./ }, (args) => (isPackage(args.path) ? imports.resolve(args) : undefined));
  },
});

/**
 * Returns the files of the bundle, the packages whose code is in it, and those that it imports.
 *
 * @throws BundleError if an import cannot be resolved, or the code is invalid
 */
export const bundleProgram = async (request: BundleRequest) => {
  const { root, entry, folder } = request;
  const imports = new Imports(request);
  try {
    const { metafile, outputFiles } = await build({
      absWorkingDir: root,
      stdin: { contents: entry, resolveDir: root, sourcefile: "cms.js" },
      outdir: folder,
      entryNames: "cms",
      chunkNames: "chunks/[name]-[hash]",
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      // Resolves like Node: without the "module" condition, which is for bundlers.
      conditions: [],
      mainFields: ["main"],
      banner: { js: REQUIRE },
      plugins: [importsOf(imports)],
      charset: "utf8",
      legalComments: "none",
      sourcemap: true,
      sourcesContent: false,
      metafile: true,
      write: false,
      logLevel: "silent",
    });
    const bundled = await packagesOf(Object.keys(metafile.inputs).map((file) => path.resolve(root, file)));
    return { files: outputFiles, bundled, imported: [...imports.imported.values()] };
  } catch (error) {
    throw await toBundleError(error, root);
  }
};

/** The names of the packages that files belong to. */
export const packagesOf = async (files: readonly string[]): Promise<readonly InstalledPackage[]> => {
  const found = new Map<string, InstalledPackage>();
  for (const file of files) {
    const around = await packageAround(file);
    if (around) found.set(around.folder, around);
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
};
