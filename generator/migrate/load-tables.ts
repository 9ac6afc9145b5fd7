/** Runs rendered `table.ts` files, so that what is compared are the tables that the server will use. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { resolveShared, sharedPackages } from "../../runtime/loader/shared-packages.ts";

const ENTRY = "tables-entry";

/** Finds the rendered files in memory and packages where galley-cms is installed. */
const inMemory = (files: ReadonlyMap<string, string>, entry: string): Plugin => ({
  name: "in-memory",
  setup(build) {
    build.onResolve({ filter: sharedPackages }, ({ path: specifier }) => {
      const address = resolveShared(specifier);
      if (address === undefined) return undefined;
      // Where galley-cms runs from its source, the source becomes part of the bundle.
      return address.endsWith(".ts") ? { path: fileURLToPath(address) } : { path: address, external: true };
    });
    build.onResolve({ filter: /.*/ }, ({ path: specifier, importer, kind }) => {
      if (kind === "entry-point") return { path: ENTRY, namespace: "rendered" };
      if (path.isAbsolute(importer)) return undefined;
      return { path: path.posix.join(path.posix.dirname(importer), specifier), namespace: "rendered" };
    });
    build.onLoad({ filter: /.*/, namespace: "rendered" }, ({ path: file }) => {
      if (file === ENTRY) return { contents: entry, loader: "ts" };
      const contents = files.get(file);
      return contents === undefined ? undefined : { contents, loader: "ts" };
    });
  },
});

/**
 * Imports rendered table files together with the runtime's own tables.
 *
 * @param files TypeScript by path below the output folder
 * @returns everything that they export
 */
export const loadTables = async (files: ReadonlyMap<string, string>): Promise<readonly unknown[]> => {
  const imports = [...files.keys()].map((file, index) => `export * as t${index} from ${JSON.stringify(file)};`);
  const entry = ['export * as system from "galley-cms/system-tables";', ...imports].join("\n");
  const result = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    logLevel: "silent",
    plugins: [inMemory(files, entry)],
  });
  const code = Buffer.from(result.outputFiles[0]?.contents ?? []).toString("base64");
  const modules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = await import(
    `data:text/javascript;base64,${code}`
  );
  return Object.values(modules).flatMap((module) => Object.values(module));
};
