/**
 * Joins the compiled modules in `dist` to a few chunks: Node takes about half a millisecond for each module that it
 * loads, and a server has four hundred. Each chunk holds modules that are always loaded together, so that a command
 * loads exactly what it would load otherwise, and there is one instance of everything. Packages that users do not
 * install, which are those of `devDependencies`, come into the chunks, and their licenses into `licenses.txt`.
 */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { build } from "esbuild";

/** Modules that others enter besides those in the `exports` of package.json. */
const entered = [
  "generator/cli.js",
  "generator/node-version.js",
  // What `cms build` bundles.
  "generator/production/run.js",
  // What tests run in a process of their own.
  "runtime/app/loader/load-application.js",
  "runtime/database/embedded/embedded.js",
  "runtime/database/embedded/lock.js",
];

/** Modules by their path below `dist`. */
const modulesIn = async (dist) =>
  (await readdir(dist, { recursive: true }))
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => /^(?:generator|runtime)\/.*\.js$/.test(file));

/** Replaces the modules in the folder `dist` of the package in `root`. The declarations of what users import stay. */
export const bundleDist = async (root, dist) => {
  const { exports, dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    await readFile(path.join(root, "package.json"), "utf8"),
  );
  const { REQUIRE } = await import("../dist/runtime/app/loader/bundle.js");
  const { packagesOf } = await import("../dist/generator/build/bundle.js");
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
    // As Node resolves imports: without the "module" that is for bundlers.
    conditions: [],
    mainFields: ["main"],
    external: ["galley-cms", ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })],
    banner: { js: REQUIRE },
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  for (const file of await modulesIn(dist)) await rm(path.join(dist, file));
  for (const { path: file, contents } of outputFiles) await writeFile(file, contents);
  const sandbox = createRequire(import.meta.url).resolve("@graphql-yoga/render-graphiql");
  for (const file of await readdir(path.join(dist, "generator"), { recursive: true })) {
    if (file.endsWith(".d.ts")) await rm(path.join(dist, "generator", file));
  }
  const inputs = [sandbox, ...Object.keys(metafile.inputs).map((file) => path.resolve(dist, file))];
  await writeFile(path.join(dist, "licenses.txt"), await licensesOf(await packagesOf(inputs)));
};
