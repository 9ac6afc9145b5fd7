/**
 * Sends random queries to twin databases that differ only in secrets; `npm test` sends a few. `npm run fuzz --
 * [--queries 20000] [--seed 7]`. Stops at the first query that gets two different answers.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    queries: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

const root = path.join(import.meta.dirname, "..");
const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
console.log(`${values.queries} questions, seed ${values.seed}`);
const { status } = spawnSync(process.execPath, [vitest, "run", "test/runtime/fuzz"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, FUZZ_QUERIES: values.queries, FUZZ_SEED: values.seed },
});
process.exitCode = status ?? 1;
