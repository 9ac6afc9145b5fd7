/**
 * Bundles the compiled modules in `dist` into a few chunks: Node takes about half a millisecond per module, and a
 * server has four hundred. Each chunk contains modules that are always loaded together, so that a command loads exactly
 * what it would load otherwise, and everything has one instance. The chunks include packages that users do not install,
 * which are those of `devDependencies`, and `licenses.txt` their licenses.
 */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire, isBuiltin } from "node:module";
import path from "node:path";
import { build } from "esbuild";

/** Entry modules besides those in the `exports` of package.json. */
const entered = [
  "generator/cli.js",
  "generator/node-version.js",
  // Bundled by `cms build`.
  "generator/production/run.js",
  // Run by tests in separate processes.
  "runtime/app/loader/load-application.js",
  "runtime/database/embedded/embedded.js",
  "runtime/database/embedded/lock.js",
];

/** Defines `require` for CommonJS packages; a project's bundle has a different banner with the same names. */
const REQUIRE =
  'import { createRequire as requireFromDist } from "node:module"; const require = requireFromDist(import.meta.url);';

const { resolve } = createRequire(import.meta.url);

/** Imports of bundled packages that only bundlers resolve. */
const repairedImports = {
  name: "repaired-imports",
  setup({ onResolve }) {
    // Required by Yoga's `fetch`.
    onResolve({ filter: /^@fastify\/busboy$/ }, ({ kind, path: name }) =>
      kind === "require-call" ? { path: resolve(name) } : undefined,
    );
    // Imported by max-tokens, without the extension that Node needs.
    onResolve({ filter: /^graphql\/language\/parser$/ }, ({ path: name }) => ({ path: `${name}.js`, external: true }));
  },
};

/** The templates as compiled code: a command needs no compiler for them. */
const compiledTemplates = (code) => ({
  name: "compiled-templates",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]generator[\\/]emit[\\/]templates\.js$/ }, () => ({ contents: code }));
  },
});

/** Modules by their path below `dist`. */
const modulesIn = async (dist) =>
  (await readdir(dist, { recursive: true }))
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => /^(?:generator|runtime)\/.*\.js$/.test(file));

/** Replaces the modules in `dist` of the package in `root`. Keeps the declarations of public modules. */
export const bundleDist = async (root, dist) => {
  const { exports, dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    await readFile(path.join(root, "package.json"), "utf8"),
  );
  const { packagesOf } = await import("../dist/generator/build/bundle.js");
  const { precompiledTemplates } = await import("../dist/generator/emit/precompile.js");
  const { licensesOf } = await import("../dist/generator/build/folder.js");
  const exported = Object.values(exports).flatMap((target) => target.default?.replace("./dist/", "") ?? []);
  const entries = [...new Set([...entered, ...exported])].sort();
  const { outputFiles, metafile } = await build({
    absWorkingDir: dist,
    entryPoints: entries.map((file) => ({ in: file, out: file.replace(/\.js$/, "") })),
    outdir: dist,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    mainFields: ["module", "main"],
    external: ["galley-cms", ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })],
    plugins: [repairedImports, compiledTemplates(precompiledTemplates())],
    banner: { js: REQUIRE },
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  // Users' bundlers see imports, and no calls of require.
  const required = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ kind, external, path: name }) => external && kind === "require-call" && !isBuiltin(name)),
  );
  if (required.length > 0) throw new Error(`required instead of imported: ${required.map(({ path }) => path)}`);
  for (const file of await modulesIn(dist)) await rm(path.join(dist, file));
  for (const { path: file, contents } of outputFiles) await writeFile(file, contents);
  const sandbox = resolve("@graphql-yoga/render-graphiql");
  for (const file of await readdir(path.join(dist, "generator"), { recursive: true })) {
    if (file.endsWith(".d.ts")) await rm(path.join(dist, "generator", file));
  }
  const inputs = [sandbox, ...Object.keys(metafile.inputs).map((file) => path.resolve(dist, file))];
  await writeFile(path.join(dist, "licenses.txt"), await licensesOf(await packagesOf(inputs)));
};
