/**
 * Runs the essential tests on other Node versions: `npm run node-versions -- [FILE...]`. Downloads the Node programs
 * from the registry.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("..", import.meta.url));
const folder = path.join(repository, ".cms", "node-versions");

const VERSIONS = ["22", "24"];
const ESSENTIAL = [
  "test/e2e/packed.test.ts",
  "test/generator/init.test.ts",
  "test/runtime/rest-changes.test.ts",
  "test/runtime/graphql/endpoint.test.ts",
  "test/runtime/database/embedded.test.ts",
];

const run = async (file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<boolean> => {
  const [code] = await once(spawn(file, args, { cwd, env, stdio: "inherit" }), "close");
  return code === 0;
};

const given = process.argv.slice(2);
const files = given.length > 0 ? given : ESSENTIAL;
await mkdir(folder, { recursive: true });
await writeFile(path.join(folder, "package.json"), '{"private":true}');
const platform = `${process.platform}-${process.arch}`;
const packages = VERSIONS.map((version) => `node${version}@npm:node-${platform}@${version}`);
if (!(await run("npm", ["install", "--no-audit", "--no-fund", ...packages], folder, process.env)))
  throw new Error(`Node ${VERSIONS.join(" and ")} could not be installed`);
for (const version of VERSIONS) {
  const bin = path.join(folder, "node_modules", `node${version}`, "bin");
  // Child processes that tests start as `node` have that version too.
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env["PATH"]}` };
  const vitest = path.join(repository, "node_modules/vitest/vitest.mjs");
  const passed = await run(path.join(bin, "node"), [vitest, "run", "--maxWorkers", "1", ...files], repository, env);
  console.log(`${passed ? "ok  " : "FAIL"} Node ${version}`);
  if (!passed) process.exitCode = 1;
}
