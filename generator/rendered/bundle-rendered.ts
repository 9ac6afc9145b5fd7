/** Bundles rendered files before they are written, so that their declarations can be inspected. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { toBundleError } from "../../runtime/app/loader/bundle.ts";
import { resolveShared, sharedPackages } from "../../runtime/app/loader/shared-packages.ts";

export interface RenderedInput {
  /** The future folder of the files, absolute. */
  readonly folder: string;
  /** Rendered files by path below the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** TypeScript as if it were in the folder: what to import and re-export. */
  readonly entry: string;
  /** The folder that the code will run in, absolute, if stack traces must name the original user files. */
  readonly runsIn?: string;
}

export interface RenderedBundle {
  /** One module. Packages remain imports. */
  readonly code: string;
  /** Absolute paths of the files on disk that it was built from: user code that rendered files import. */
  readonly inputs: readonly string[];
}

const NAMESPACE = "rendered";
const ENTRY = "entry.ts";

/** Rendered files replace those on disk; packages resolve to the instances that galley-cms itself uses. */
const overlay = ({ folder, files, entry }: RenderedInput): Plugin => {
  const texts = new Map([...files].map(([file, text]) => [path.join(folder, file), text]));
  const entryFile = path.join(folder, ENTRY);
  texts.set(entryFile, entry);
  return {
    name: "rendered-files",
    setup(build) {
      build.onResolve({ filter: sharedPackages }, ({ path: specifier }) => {
        const address = resolveShared(specifier);
        if (address === undefined) return undefined;
        // When galley-cms runs from source, the source becomes part of the bundle.
        return address.endsWith(".ts") ? { path: fileURLToPath(address) } : { path: address, external: true };
      });
      build.onResolve({ filter: /^\.{1,2}\// }, ({ path: specifier, resolveDir, namespace, kind }) => {
        const file = kind === "entry-point" ? entryFile : path.resolve(resolveDir, specifier);
        if (texts.has(file)) return { path: file, namespace: NAMESPACE };
        // Rendered files import user files by absolute path; the importing folder may not exist yet.
        return namespace === NAMESPACE ? { path: file } : undefined;
      });
      build.onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path: file }) => {
        const contents = texts.get(file);
        return contents === undefined ? undefined : { contents, loader: "ts", resolveDir: path.dirname(file) };
      });
    },
  };
};

/** Bundles `entry` and its imports. Throws a BundleError if user code is invalid. */
export const bundleRendered = async (input: RenderedInput): Promise<RenderedBundle> => {
  const { root } = path.parse(input.folder);
  try {
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      entryPoints: [`./${ENTRY}`],
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      packages: "external",
      sourcemap: input.runsIn === undefined ? false : "inline",
      sourcesContent: false,
      logLevel: "silent",
      outfile: path.join(input.runsIn ?? input.folder, "entry.mjs"),
      plugins: [overlay(input)],
    });
    const onDisk = Object.keys(metafile.inputs).filter((name) => !name.startsWith(`${NAMESPACE}:`));
    return {
      code: outputFiles.map(({ text }) => text).join(""),
      inputs: onDisk.map((name) => path.resolve(root, name)),
    };
  } catch (error) {
    throw await toBundleError(error, root);
  }
};
