/**
 * Joins the compiled modules in `dist` to a few chunks: Node takes about half a millisecond for each module that it
 * loads, and a server has four hundred. Each chunk holds modules that are always loaded together, so that a command
 * loads exactly what it would load otherwise, and there is one instance of everything.
 */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
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

/** Replaces the modules in the folder `dist` of the package in `root`. Declarations stay where they are. */
export const bundleDist = async (root, dist) => {
  const { exports } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  const exported = Object.values(exports).flatMap((target) => target.default?.replace("./dist/", "") ?? []);
  const entries = [...new Set([...entered, ...exported])].sort();
  const { outputFiles } = await build({
    absWorkingDir: dist,
    entryPoints: entries.map((file) => ({ in: file, out: file.replace(/\.js$/, "") })),
    outdir: dist,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    charset: "utf8",
    legalComments: "none",
    write: false,
    logLevel: "warning",
  });
  for (const file of await modulesIn(dist)) await rm(path.join(dist, file));
  for (const { path: file, contents } of outputFiles) await writeFile(file, contents);
};
