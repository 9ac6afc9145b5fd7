/**
 * Prints the cost of starting a server: `cms start`, and the folder of `cms build`, on PostgreSQL and on the embedded
 * database, for a made-up project. `npm run bench:start -- [--types 100] [--runs 5]
 * [--database postgres|pglite]`.
 * Linux only, as it reads /proc. Run `npm run build` first.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startEmbedded } from "../test/support/embedded-postgres.ts";
import { freePort } from "../test/support/free-port.ts";
import { cpuOf } from "./bench/cpu.ts";
import { makeProject } from "./made-up-project.ts";
import { residentOf } from "./process-memory.ts";

const { values } = parseArgs({
  options: {
    types: { type: "string", default: "100" },
    runs: { type: "string", default: "5" },
    database: { type: "string" },
  },
});
const types = Number(values.types);
const runs = Number(values.runs);
const IDLE_MS = 1500;

const repository = path.resolve(import.meta.dirname, "..");
const program = path.join(repository, "dist", "generator", "cli.js");

const secrets = {
  JWT_SECRET: "a secret for measurements only, long enough",
  API_TOKEN_SALT: "a salt for measurements only",
};

/** The measurements of one start, in milliseconds and megabytes. */
interface Start {
  /** From the start of the process to the first answer. */
  readonly ready: number;
  /** CPU time until then, of all threads. */
  readonly cpu: number;
  readonly first: number;
  readonly later: number;
  readonly idle: number;
}

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

const start = async (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv, token: string): Promise<Start> => {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...env, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const pid = child.pid ?? 0;
  const base = `http://127.0.0.1:${port}`;
  const health = (): Promise<Response | undefined> => fetch(`${base}/_health`).catch(() => undefined);
  while (!(await health())) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await pause(5);
  }
  const ready = performance.now() - began;
  const cpu = cpuOf(pid) / 1000;
  await pause(IDLE_MS);
  const idle = residentOf(pid);
  const ask = async (): Promise<void> => {
    const answer = await fetch(`${base}/api/items-1?populate=*`, { headers: { authorization: `Bearer ${token}` } });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const first = await timed(ask);
  for (let each = 0; each < 20; each += 1) await ask();
  const later = await timed(ask);
  const ended = new Promise((done) => child.once("exit", done));
  child.kill();
  await ended;
  return { ready, cpu, first, later, idle };
};

const COLUMNS = ["ready", "cpu", "idle", "first", "later"] as const;

const median = (starts: readonly Start[], column: (typeof COLUMNS)[number]): number =>
  starts.map((each) => each[column]).toSorted((a, b) => a - b)[Math.floor(starts.length / 2)] ?? 0;

const print = (what: string, starts: readonly Start[]): void => {
  const figures = COLUMNS.map((each) => `${median(starts, each).toFixed(0)} ${each === "idle" ? "MB" : "ms"}`);
  console.log(what.padEnd(26) + figures.map((figure) => figure.padStart(10)).join(""));
};

const measure = async (kind: string, env: NodeJS.ProcessEnv): Promise<void> => {
  const root = mkdtempSync(path.join(tmpdir(), "galley-start-"));
  const cms = (...args: string[]): string =>
    execFileSync(process.execPath, [program, "--root", root, ...args], { encoding: "utf8", env, stdio: "pipe" }).trim();
  try {
    makeProject(root, types);
    writeFileSync(path.join(root, "package.json"), '{ "type": "module" }');
    cms("generate");
    cms("migrate");
    const token = cms("token", "create", "--name", "start", "--type", "full-access");
    cms("build", ...(env.DATABASE_URL === undefined ? ["--embedded"] : []));
    const ways = { "cms start": [program, "--root", root, "start"], "cms build": ["build/cms.mjs", "start"] };
    for (const [way, args] of Object.entries(ways)) {
      const starts: Start[] = [];
      for (let run = 0; run < runs; run += 1) starts.push(await start(args, root, env, token));
      print(`${way}, ${kind}`, starts);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

console.log(`${types} content types, median of ${runs}`);
console.log("".padEnd(26) + COLUMNS.map((each) => each.padStart(10)).join(""));
if (values.database !== "pglite") {
  const postgres = await startEmbedded(["jit=off"]);
  try {
    await measure("PostgreSQL", { ...process.env, ...secrets, DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}
if (values.database !== "postgres")
  await measure("embedded", { ...process.env, ...secrets, DATABASE_EMBEDDED: "true" });
// The PostgreSQL server package would delay the exit.
process.exit(0);
