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
    globalSetup: ["test/support/postgres-server.ts", "test/conformance/server-pool.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
