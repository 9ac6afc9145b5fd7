/**
 * Prints how the cost of lists of 25 grows with the number of documents: CPU of PostgreSQL per request, in
 * microseconds.
 *
 *     npm run growth -- [--sizes 10000,100000] [--match "sorted"] [--indexed] [--keep FOLDER]
 *
 * With `--indexed`, the project has added indexes of its own (docs/run/database.md). With `--keep`, the filled
 * databases stay in that folder for the next run. A million documents (`--sizes 10000,1000000`) take ten minutes and 3
 * GB of disk, with or without indexes; a third of the time is for filling. Linux only, as it reads /proc. Run `npm run
 * build` first.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "../../test/support/free-port.ts";
import { cpuOf } from "../bench/cpu.ts";
import { writeProject } from "./project.ts";
import { requestsOf } from "./requests.ts";
import { cms, environmentOf, type GrowthServer, startServer } from "./server.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "10000,100000" },
    match: { type: "string", default: "" },
    indexed: { type: "boolean", default: false },
    keep: { type: "string" },
  },
});
/** Repeats a request for this many milliseconds, but at least `LEAST` times. */
const MILLISECONDS = 700;
const LEAST = 3;

type Costs = ReadonlyMap<string, number>;

const measure = async (server: GrowthServer, root: string, notes: number): Promise<Costs> => {
  const url = await server.filled(root, notes, values.indexed);
  const port = await freePort();
  const running = spawn(process.execPath, cms(root, "start", "--port", String(port)), {
    env: environmentOf(url),
    stdio: "ignore",
  });
  try {
    const ask = async (query: string): Promise<void> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/${query}`);
      const text = await response.text();
      if (!response.ok) throw new Error(text);
    };
    const answers = (): Promise<boolean> =>
      ask("notes?pagination[limit]=1&pagination[withCount]=false").then(
        () => true,
        () => false,
      );
    while (!(await answers())) await wait(100);
    const costs = new Map<string, number>();
    for (const [name, query] of Object.entries(requestsOf(notes))) {
      if (!name.includes(values.match)) continue;
      await ask(query);
      await ask(query);
      const [start, before] = [performance.now(), cpuOf(server.pid)];
      let count = 0;
      for (; count < LEAST || performance.now() - start < MILLISECONDS; count += 1) await ask(query);
      costs.set(name, (cpuOf(server.pid) - before) / count);
    }
    return costs;
  } finally {
    running.kill();
  }
};

const print = (sizes: readonly number[], costs: readonly Costs[]): void => {
  const [first, ...others] = costs;
  console.log(`| a list of 25 | ${sizes.map((size) => `of ${size}`).join(" | ")} | growth |`);
  console.log(`| --- |${" --- |".repeat(sizes.length + 1)}`);
  for (const [name, cost] of first ?? []) {
    const row = [cost, ...others.map((each) => each.get(name) ?? Number.NaN)];
    const growth = (row.at(-1) ?? Number.NaN) / cost;
    console.log(`| ${name} | ${row.map((each) => each.toFixed(0)).join(" | ")} | ${growth.toFixed(1)} |`);
  }
};

const sizes = values.sizes.split(",").map(Number);
const kept = values.keep && path.resolve(values.keep);
// A project's migrations belong to its databases.
const root = kept ? path.join(kept, "project") : mkdtempSync(path.join(tmpdir(), "galley-growth-"));
const server = await startServer(kept);
try {
  writeProject(root);
  execFileSync(process.execPath, cms(root, "generate"), { stdio: ["ignore", "ignore", "inherit"] });
  const costs: Costs[] = [];
  for (const size of sizes) costs.push(await measure(server, root, size));
  print(sizes, costs);
} finally {
  await server.stop();
  if (!kept) rmSync(root, { recursive: true, force: true });
}
