import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { packageEntries } from "./scripts/package-entries.ts";

const root = import.meta.dirname;

/** Generated code imports the package by its name: tests run it on the sources. */
const sources = packageEntries(root).map(({ specifier, source }) => ({
  find: new RegExp(`^${specifier}$`),
  replacement: path.join(root, source),
}));

export default defineConfig({
  resolve: {
    // One instance for our sources and for packages, which Node gives the CommonJS build.
    alias: [...sources, { find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve("graphql/index.js")) }],
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/golden/**", "node_modules/**"],
    globalSetup: ["test/support/postgres-server.ts", "test/support/run-folder.ts", "test/conformance/server-pool.ts"],
    // Tests start whole processes, several of them, on machines that do other things besides.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    // One more than continuous integration has cores: some wait for something most of the time.
    maxWorkers: 3,
    setupFiles: ["test/support/free-memory.ts", "test/support/same-cases.ts"],
    // Each process loads the modules and starts an embedded database once, for all the files that it runs.
    isolate: false,
    unstubEnvs: true,
  },
});
