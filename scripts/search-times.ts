/**
 * Prints what searches of a documentation site cost: of the pages in `examples/documentation`, in two languages, on
 * PostgreSQL, without the response cache. Each cost is a median, in milliseconds of CPU of the server and PostgreSQL,
 * beside that of the same list without the search, which is asked for in turn. Linux only, as it reads /proc.
 *
 *     npm run search-times -- [--pages 5000]
 *
 * 5,000 pages take a minute to write. Run `npm run build` first.
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { z } from "zod";
import { listPath, searches, searchPath } from "../examples/documentation/searches.ts";
import { startEmbedded } from "../test/support/embedded-postgres.ts";
import { freePort } from "../test/support/free-port.ts";
import { cpuOf } from "./bench/cpu.ts";
import { cms, environmentOf } from "./growth/server.ts";

const { values } = parseArgs({ options: { pages: { type: "string", default: "5000" } } });

/** How often each search is asked for. */
const ROUNDS = 25;

const repository = path.resolve(import.meta.dirname, "..");
// Within the repository, so that the project finds the package.
const root = path.join(repository, ".cms", "search-times");

const answer = z.object({ meta: z.object({ pagination: z.object({ total: z.number() }) }) });

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;

/** The cost and the total of one request. */
type Ask = (path: string) => Promise<{ readonly time: number; readonly total: number }>;

/** The CPU that processes have taken so far, in milliseconds. */
const spent = (processes: readonly number[]): number => processes.reduce((sum, pid) => sum + cpuOf(pid), 0) / 1000;

const asking =
  (url: string, processes: readonly number[]): Ask =>
  async (address) => {
    const before = spent(processes);
    const response = await fetch(url + address);
    const text = await response.text();
    const time = spent(processes) - before;
    if (!response.ok) throw new Error(`${address}: ${text}`);
    return { time, total: answer.parse(JSON.parse(text)).meta.pagination.total };
  };

const measure = async (ask: Ask): Promise<void> => {
  console.log("| search | finds | ms | ms without | ratio |\n| --- | --- | --- | --- | --- |");
  for (const search of searches) {
    const [searched, listed]: [number[], number[]] = [[], []];
    let found = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      listed.push((await ask(listPath(search))).time);
      const { time, total } = await ask(searchPath(search));
      searched.push(time);
      found = total;
    }
    const [one, other] = [median(searched), median(listed)];
    console.log(
      `| ${search.name}, ${search.locale}: \`${search.words}\` | ${found} | ${one.toFixed(1)} | ${other.toFixed(1)} | ${(one / other).toFixed(1)} |`,
    );
  }
};

const server = await startEmbedded(["fsync=off", "autovacuum=off", "jit=off", "max_parallel_workers_per_gather=0"]);
const env = { ...environmentOf(server.url), PAGES: values.pages, CACHE_ENABLED: "false" };
const run = (...args: readonly string[]): void => {
  execFileSync(process.execPath, cms(root, ...args), { env, stdio: ["ignore", "ignore", "inherit"] });
};
try {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  cpSync(path.join(repository, "examples", "documentation"), root, { recursive: true });
  for (const args of [["generate"], ["migrate"], ["permissions", "apply"], ["seed"]]) run(...args);
  const client = postgres(server.url, { max: 1 });
  // As PostgreSQL would do by itself before long.
  await client`vacuum analyze`;
  await client.end();
  const port = await freePort();
  const running = spawn(process.execPath, cms(root, "start", "--port", String(port)), { env, stdio: "ignore" });
  try {
    const url = `http://127.0.0.1:${port}`;
    const answers = (): Promise<boolean> =>
      fetch(`${url}/_health`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await answers())) await wait(100);
    const [postmaster = ""] = readFileSync(path.join(server.data, "postmaster.pid"), "utf8").split("\n");
    await measure(asking(url, [Number(postmaster), running.pid ?? 0]));
  } finally {
    running.kill();
  }
} finally {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
}
