/**
 * Builds `dist`: the modules, their digest, the JSON schemas for editors, the panel, and the empty database that a
 * project's first start unpacks. With `--modules`, leaves the modules as compiled, one file each.
 */
import { spawnSync } from "node:child_process";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { renderGraphiQL } from "@graphql-yoga/render-graphiql";
import { createJiti } from "jiti";
import { buildPanel } from "./build-panel.mjs";
import { bundleDist } from "./bundle-dist.mjs";
import { writeClientPackage } from "./client-package.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = new URL("../dist/", import.meta.url);

// Output of moved or deleted sources would be packed. The database stays: creating one takes seconds.
for (const name of ["chunks", "generator", "runtime", "schemas"])
  await rm(new URL(name, dist), { recursive: true, force: true });

// `npm run check` checks types; this step only emits modules.
const compiler = ["node_modules/typescript-7/bin/tsc", "-p", "tsconfig.build.json", "--noCheck"];
const { status } = spawnSync(process.execPath, compiler, { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

// A process that starts meanwhile must not take these modules for those of the digest.
await rm(new URL("digest", dist), { force: true });
const { digestOfCode } = await import("../dist/runtime/app/loader/installation.js");
const { jsonSchemas } = await createJiti(import.meta.url).import("./json-schema.ts");
await mkdir(new URL("schemas/", dist));
for (const [name, text] of Object.entries(jsonSchemas())) await writeFile(new URL(`schemas/${name}`, dist), text);

const { buildSnapshot, snapshotFile } = await import("../dist/runtime/database/embedded/snapshot.js");
await buildSnapshot();
const embedded = new URL("embedded/", dist);
for (const name of await readdir(embedded)) {
  const file = new URL(name, embedded);
  if (fileURLToPath(file) !== snapshotFile()) await rm(file);
}

const { ENDPOINT, sandboxFile } = await import("../dist/runtime/graphql/endpoint/sandbox.js");
const page = renderGraphiQL({
  endpoint: ENDPOINT,
  title: "GraphQL",
  defaultQuery: "query {\n  __typename\n}\n",
  isHeadersEditorEnabled: true,
  shouldPersistHeaders: false,
});
// More than this costs seconds, and saves little.
const quality = {
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
};
await writeFile(sandboxFile(), brotliCompressSync(page, { params: quality }));

await writeClientPackage(fileURLToPath(dist));
await buildPanel(root, fileURLToPath(dist));

if (!process.argv.includes("--modules")) {
  await mkdir(new URL("chunks/", dist));
  await bundleDist(root, fileURLToPath(dist));
}
await writeFile(new URL("digest", dist), digestOfCode(fileURLToPath(dist)));
