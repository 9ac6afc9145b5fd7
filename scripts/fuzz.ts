/**
 * Asks as many random questions as wanted of twin databases that differ in nothing but secrets; `npm test` asks a few.
 * `npm run fuzz -- [--queries 20000] [--seed 7]`. Ends with the first question that is answered in two ways.
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
