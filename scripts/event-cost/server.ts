/** Servers to measure: each a project of its own, on a database of its own. Run `npm run build` first. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { startEmbedded } from "../../test/support/embedded-postgres.ts";
import { freePort } from "../../test/support/free-port.ts";

const repository = path.resolve(import.meta.dirname, "../..");
const program = path.join(repository, "dist", "generator", "cli.js");
const parent = path.join(repository, ".cms", "event-cost");
const database = await startEmbedded(["jit=off", "max_connections=100", "fsync=off"]);
const admin = postgres(database.url, { max: 1, onnotice: () => {} });

/** What has to end with the measurement, first to last. */
export const endings: (() => unknown)[] = [() => admin.end({ timeout: 1 }), () => database.stop()];

/** A module that collects garbage on request. */
const COLLECT = `data:text/javascript,${encodeURIComponent('process.on("SIGUSR2", () => { gc(); gc(); });')}`;

interface Wanted {
  /** The configuration of events; by default there are none. */
  readonly events?: object;
  /** Whether documents have a history. */
  readonly history?: true;
  readonly audit?: true;
  /** Runs before the server starts. */
  readonly prepare?: (url: string) => Promise<unknown>;
}

/** Makes a project; returns its folder. */
const makeProject = (name: string, { events, history, audit }: Wanted): string => {
  mkdirSync(parent, { recursive: true });
  const root = mkdtempSync(path.join(parent, `${name}-`));
  endings.push(() => rmSync(root, { recursive: true, force: true }));
  cpSync(
    path.join(repository, "scripts", "chaos", "content-types", "message"),
    path.join(root, "content-types", "message"),
    { recursive: true },
  );
  const file = path.join(root, "content-types", "message", "schema.json");
  const schema = JSON.parse(readFileSync(file, "utf8"));
  if (history) writeFileSync(file, JSON.stringify({ ...schema, options: { ...schema.options, history } }));
  const config = {
    logger: { level: "error" },
    ...(audit ? { audit } : {}),
    ...(events ? { events: { allowAddresses: ["127.0.0.1"], ...events } } : {}),
  };
  writeFileSync(path.join(root, "cms.config.ts"), `export default ${JSON.stringify(config)};\n`);
  return root;
};

/** Starts a separate project. */
export const start = async (name: string, wanted: Wanted) => {
  const root = makeProject(name, wanted);
  await admin.unsafe(`create database ${name}`);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  const env = {
    ...process.env,
    NODE_ENV: "production",
    DATABASE_URL: url.href,
    JWT_SECRET: "a secret for measurements only, long enough",
    API_TOKEN_SALT: "a salt for measurements only",
  };
  const cms = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [program, "--root", root, ...args], { encoding: "utf8", env }).trim();
  cms("generate");
  cms("migrate");
  const token = cms("token", "create", "--name", "cost", "--type", "full-access");
  await wanted.prepare?.(url.href);
  const port = await freePort();
  const args = ["--expose-gc", "--import", COLLECT, program, "--root", root, "start", "--port", String(port)];
  const child = spawn(process.execPath, args, { env, stdio: "ignore" });
  endings.unshift(() => child.kill("SIGKILL"));
  const base = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${base}/_health`).catch(() => undefined))?.ok) await wait(100);
  const send = async (method: string, target: string, value?: number): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = value === undefined ? {} : { body: JSON.stringify({ data: { value } }) };
    const answer = await fetch(`${base}${target}`, { method, headers, ...body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${target} of ${name}: ${answer.status} ${text}`);
    return text === "" ? "" : JSON.parse(text).data.documentId;
  };
  const documentId = await send("POST", "/api/messages", 0);
  return {
    name,
    url: url.href,
    port,
    token,
    pid: child.pid ?? 0,
    write: (value: number) => send("PUT", `/api/messages/${documentId}`, value),
    create: (value: number) => send("POST", "/api/messages", value),
    remove: (id: string) => send("DELETE", `/api/messages/${id}`),
  };
};

export type Server = Awaited<ReturnType<typeof start>>;
