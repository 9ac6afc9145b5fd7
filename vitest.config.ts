import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    conditions: ["galley-source"],
    // One instance for our sources and for packages, which Node gives the CommonJS build.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve("graphql/index.js")) }],
  },
  ssr: { resolve: { conditions: ["galley-source"], externalConditions: ["galley-source"] } },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/golden/**", "node_modules/**"],
    globalSetup: ["test/support/postgres-server.ts", "test/conformance/server-pool.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
