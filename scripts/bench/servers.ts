/** Starts PostgreSQL, our server and the hand-written ones as separate processes. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import path from "node:path";
import postgres from "postgres";
import { startEmbedded } from "../../test/support/embedded-postgres.ts";
import { freePort } from "../../test/support/free-port.ts";

const project = path.resolve(import.meta.dirname, "../..");
const root = path.join(project, ".cms", "bench");
const cms = path.join(project, "dist", "generator", "cli.js");

export interface Running {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export const startPostgres = async (): Promise<Running & { readonly url: string }> => {
  const { url, port, data, stop } = await startEmbedded(["autovacuum=off", "jit=off"]);
  const pid = Number(readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  return { url, port, pid, stop };
};

/** Generates the application, migrates the database, and fills it. */
export const prepare = async (url: string): Promise<void> => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  cpSync(path.join(import.meta.dirname, "content-types"), path.join(root, "content-types"), { recursive: true });
  const actions = ["article", "author", "category", "story"].flatMap((name) => [
    `api::${name}.${name}.find`,
    `api::${name}.${name}.findOne`,
    `api::${name}.${name}.create`,
    `api::${name}.${name}.update`,
    `api::${name}.${name}.publish`,
  ]);
  writeFileSync(path.join(root, "permissions.json"), JSON.stringify({ public: actions, authenticated: actions }));
  for (const command of [["generate"], ["migrate"], ["permissions", "apply", "permissions.json"]]) run(url, command);
  await script(url, readFileSync(path.join(import.meta.dirname, "data.sql"), "utf8"));
  await tidy(url);
};

const run = (url: string, command: readonly string[]): void => {
  execFileSync(process.execPath, [cms, "--root", root, ...command], {
    env: environment(url),
    stdio: ["ignore", "ignore", "inherit"],
  });
};

const script = async (url: string, sql: string): Promise<void> => {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  await client.unsafe(sql).simple();
  await client.end();
};

/** Does autovacuum's work, which is off: otherwise reads after many writes would scan dead rows. */
export const tidy = (url: string): Promise<void> => script(url, "vacuum analyze");

/** Creates a read-only API token, and returns its secret. */
export const createToken = (url: string): string =>
  execFileSync(process.execPath, [cms, "--root", root, "token", "create", "--name", "bench"], {
    env: environment(url),
    encoding: "utf8",
  }).trim();

const environment = (url: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: "production",
  DATABASE_URL: url,
  JWT_SECRET: "a secret for benchmarks only",
  API_TOKEN_SALT: "a salt for benchmarks only",
});

const answers = (port: number, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    get({ host: "127.0.0.1", port, path }, (response) => {
      response.resume();
      resolve((response.statusCode ?? 500) < 500);
    }).on("error", () => resolve(false));
  });

const started = async (child: ChildProcess, port: number, path: string): Promise<Running> => {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (await answers(port, path)) {
      return { port, pid: child.pid ?? 0, stop: () => stopped(child) };
    }
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no answer from ${child.spawnargs.join(" ")}`);
};

const stopped = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });

export interface OursOptions {
  /** Its GraphQL format. */
  readonly format?: string;
  /** Whether it caches responses, or only totals; otherwise it reads each time. */
  readonly keeps?: boolean | "totals";
  /** Whether it logs a line for each request, to a file; otherwise nobody reads its log. */
  readonly lines?: boolean;
  /** The number of processes; by default one, without a supervisor. */
  readonly workers?: number;
}

/** Starts our server. */
export const startOurs = async (url: string, options: OursOptions = {}): Promise<Running> => {
  const { format = "entity", keeps = false, lines, workers } = options;
  const port = await freePort();
  const several = workers === undefined ? [] : ["--workers", String(workers)];
  // No answer is short enough to be cached.
  const cache = keeps === "totals" ? { bytes: 1 } : { enabled: keeps };
  const logger = { requests: lines === false ? false : "all" };
  const settings = { graphql: { format }, cache, logger };
  writeFileSync(path.join(root, "cms.config.ts"), `export default ${JSON.stringify(settings)};\n`);
  // The generated code depends on the format.
  run(url, ["generate"]);
  const output = lines === undefined ? "ignore" : openSync(path.join(root, `${port}.log`), "w");
  const child = spawn(process.execPath, [cms, "--root", root, "start", "--port", String(port), ...several], {
    env: environment(url),
    stdio: ["ignore", output, "inherit"],
  });
  return started(child, port, "/_health");
};

/** Starts a server that answers every request with the bytes and headers of `path` at another server. */
export const startStatic = async (origin: Running, path: string): Promise<Running> => {
  const port = await freePort();
  const code = `
    const answer = await fetch("http://127.0.0.1:${origin.port}${path}", { headers: { "accept-encoding": "identity", "apollo-require-preflight": "yes" } });
    const body = Buffer.from(await answer.arrayBuffer());
    const own = /^(?:date|connection|keep-alive|transfer-encoding)$/;
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !own.test(name)));
    const { createServer } = await import("node:http");
    createServer((request, response) => response.writeHead(200, headers).end(body)).listen(${port}, "127.0.0.1");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return started(child, port, "/");
};

/** Starts a hand-written server: the one that does what ours does, or the minimal one. */
const startScript = async (name: string, url: string): Promise<Running> => {
  const port = await freePort();
  const jiti = path.join(project, "node_modules", "jiti", "lib", "jiti-cli.mjs");
  const child = spawn(process.execPath, [jiti, path.join(import.meta.dirname, name)], {
    env: { ...environment(url), PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return started(child, port, "/api/articles");
};

export const startHandWritten = (url: string): Promise<Running> => startScript("hand-written.ts", url);

export const startLimit = (url: string): Promise<Running> => startScript("limit.ts", url);
