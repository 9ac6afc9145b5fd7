import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["galley-source"] },
  ssr: { resolve: { conditions: ["galley-source"], externalConditions: ["galley-source"] } },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/golden/**", "node_modules/**"],
    globalSetup: ["test/support/postgres-server.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
