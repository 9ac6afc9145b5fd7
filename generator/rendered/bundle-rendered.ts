/** Bundles rendered files before they are written, so that their declarations can be inspected. */
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { toBundleError } from "../../runtime/app/loader/bundle.ts";
import { resolveShared, sharedPackages } from "../../runtime/app/loader/shared-packages.ts";

export interface RenderedInput {
  /** The folder of the files, absolute; it may not exist yet. */
  readonly folder: string;
  /** Rendered files by path below the folder; undefined for those that are on disk as rendered. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** TypeScript as if it were in the folder: what to import and re-export. */
  readonly entry: string;
  /** The folder that the code will run in, absolute, if stack traces must name the original user files. */
  readonly runsIn?: string;
}

/** The name that the entry has in error messages. */
const ENTRY = "entry.ts";

/** The path by which the bundler knows a file, which may not exist yet. */
const realPath = (file: string): string => (existsSync(file) ? realpathSync(file) : file);

/** Packages resolve to the instances that galley-cms itself uses. */
const shared: Plugin = {
  name: "shared-packages",
  setup({ onResolve }) {
    onResolve({ filter: sharedPackages }, ({ path: specifier }) => {
      const address = resolveShared(specifier);
      if (address === undefined) return undefined;
      // When galley-cms runs from source, the source becomes part of the bundle.
      return address.endsWith(".ts") ? { path: fileURLToPath(address) } : { path: address, external: true };
    });
  },
};

/** A regular expression that matches just this text. */
const literally = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Texts replace the files on disk. Imports are resolved here only if some file is not there yet: it takes time. */
const overlay = (texts: ReadonlyMap<string, string>): Plugin => ({
  name: "rendered-files",
  setup({ onLoad, onResolve }) {
    // Only these: each file that the filter matches is a message to the bundler's process and back.
    const filter = new RegExp(`^(?:${[...texts.keys()].map(literally).join("|")})$`);
    onLoad({ filter }, ({ path: file }) => ({ contents: texts.get(file) ?? "", loader: "ts" }));
    if ([...texts.keys()].every((file) => existsSync(file))) return;
    onResolve({ filter: /^\.{1,2}\// }, ({ path: specifier, resolveDir, importer }) => {
      const file = path.resolve(resolveDir, specifier);
      // Rendered files may import user files from a folder that does not exist yet.
      return texts.has(file) || texts.has(importer) ? { path: file } : undefined;
    });
  },
});

/**
 * Bundles `entry` and its imports. Packages remain imports. Returns one module, and the absolute paths of the user code
 * that rendered files import. Throws a BundleError if user code is invalid.
 */
export const bundleRendered = async ({ folder, files, entry, runsIn }: RenderedInput) => {
  const place = realPath(folder);
  const rendered = [...files].map(([file, text]) => ({ file: path.join(place, file), text }));
  const texts = new Map(
    rendered.flatMap(({ file, text }) => (text === undefined ? [] : [[realPath(file), text] as const])),
  );
  const { root } = path.parse(place);
  try {
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      stdin: { contents: entry, resolveDir: place, loader: "ts", sourcefile: path.join(place, ENTRY) },
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      packages: "external",
      sourcemap: runsIn === undefined ? false : "inline",
      sourcesContent: false,
      logLevel: "silent",
      outfile: path.join(runsIn ?? place, "entry.mjs"),
      plugins: [shared, overlay(texts)],
    });
    const ours = new Set([path.join(place, ENTRY), ...texts.keys(), ...rendered.map(({ file }) => file)]);
    const inputs = Object.keys(metafile.inputs).map((name) => path.resolve(root, name));
    return { code: outputFiles.map(({ text }) => text).join(""), inputs: inputs.filter((file) => !ours.has(file)) };
  } catch (error) {
    throw await toBundleError(error, root);
  }
};
