/**
 * Prints the cost of events: a write with and without them and with a long queue, the delay from a write to its
 * delivery, and the memory of a listener. `npm run bench:events -- [--writes 300] [--backlog 1000000] [--listeners
 * 10000]`. Linux only, as it reads /proc. Run `npm run build` first.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { startEmbedded } from "../test/support/embedded-postgres.ts";
import { freePort } from "../test/support/free-port.ts";
import { openReceiver } from "../test/support/webhook-receiver.ts";
import { residentOf } from "./process-memory.ts";

const { values } = parseArgs({
  options: {
    writes: { type: "string", default: "300" },
    backlog: { type: "string", default: "1000000" },
    listeners: { type: "string", default: "10000" },
  },
});
const [writes, backlog, listeners] = [values.writes, values.backlog, values.listeners].map(Number) as [
  number,
  number,
  number,
];

const repository = path.resolve(import.meta.dirname, "..");
const program = path.join(repository, "dist", "generator", "cli.js");
const parent = path.join(repository, ".cms", "event-cost");
const database = await startEmbedded(["jit=off", "max_connections=100"]);
const admin = postgres(database.url, { max: 1, onnotice: () => {} });
const endings: (() => unknown)[] = [() => admin.end({ timeout: 1 }), () => database.stop()];

/** A module that collects garbage on request. */
const COLLECT = `data:text/javascript,${encodeURIComponent('process.on("SIGUSR2", () => { gc(); gc(); });')}`;

/** Starts a separate project with this configuration of events; calls `prepare` before it serves. */
const start = async (name: string, events: object | undefined, prepare?: (url: string) => Promise<unknown>) => {
  mkdirSync(parent, { recursive: true });
  const root = mkdtempSync(path.join(parent, `${name}-`));
  endings.push(() => rmSync(root, { recursive: true, force: true }));
  cpSync(
    path.join(import.meta.dirname, "chaos", "content-types", "message"),
    path.join(root, "content-types", "message"),
    {
      recursive: true,
    },
  );
  const config = {
    logger: { level: "error" },
    ...(events ? { events: { allowAddresses: ["127.0.0.1"], ...events } } : {}),
  };
  writeFileSync(path.join(root, "cms.config.ts"), `export default ${JSON.stringify(config)};\n`);
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
  await prepare?.(url.href);
  const port = await freePort();
  const args = ["--expose-gc", "--import", COLLECT, program, "--root", root, "start", "--port", String(port)];
  const child = spawn(process.execPath, args, { env, stdio: "ignore" });
  endings.unshift(() => child.kill("SIGKILL"));
  const base = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${base}/_health`).catch(() => undefined))?.ok) await wait(100);
  const send = async (method: string, target: string, value: number) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${base}${target}`, { method, headers, body: JSON.stringify({ data: { value } }) });
    if (!answer.ok) throw new Error(`${method} ${target} of ${name}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()).data.documentId as string;
  };
  const documentId = await send("POST", "/api/messages", 0);
  return {
    port,
    token,
    pid: child.pid ?? 0,
    write: (value: number) => send("PUT", `/api/messages/${documentId}`, value),
  };
};

const at = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;

const receiver = async () => {
  const arrived = new Map<number, number>();
  const { url } = await openReceiver({
    answer(response, _number, { value }) {
      arrived.set(value, performance.now());
      response.writeHead(204).end();
    },
    atEnd: (work) => endings.push(work),
  });
  return { url, arrived };
};

/** Queues the given number of events for a receiver that never answers. */
const fill = async (url: string): Promise<void> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql.unsafe(`insert into event_log (id, name, uid, document_id, created_at, entry)
    select 'evt_' || n, 'entry.update', 'api::message.message', 'waiting' || n % 100000, now(), '{}'
    from generate_series(1, ${backlog}) as n`);
  await sql.unsafe(`insert into event_deliveries (consumer, position, document_id, state, attempts, due_at)
    select 'stuck', position, document_id, 'pending', 0, created_at from event_log`);
  await sql.unsafe("analyze");
  await sql.end();
};

const measureListeners = async ({ port, token, pid }: Awaited<ReturnType<typeof start>>): Promise<void> => {
  const resident = async (): Promise<number> => {
    process.kill(pid, "SIGUSR2");
    await wait(2000);
    return residentOf(pid);
  };
  const before = await resident();
  const sockets: Socket[] = [];
  const head = `GET /api/events HTTP/1.1\r\nHost: cost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  for (let count = 0; count < listeners; count += 1) {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.write(head);
    await once(socket, "data");
    socket.resume();
  }
  const after = await resident();
  const each = ((after - before) * 1000) / listeners;
  console.log(
    `${listeners} idle listeners: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB with them, ${each.toFixed(1)} kB each`,
  );
  for (const socket of sockets) socket.destroy();
};

try {
  const [one, two] = [await receiver(), await receiver()];
  const hanging = await openReceiver({ answer: () => {}, atEnd: (work) => endings.push(work) });
  const servers = [
    await start("without", undefined),
    await start("events", { stream: {}, webhooks: [{ name: "site", url: one.url }] }),
    await start(
      "backlog",
      {
        stream: {},
        webhooks: [
          { name: "site", url: two.url },
          { name: "stuck", url: hanging.url },
        ],
      },
      fill,
    ),
  ] as const;
  const times: number[][] = servers.map(() => []);
  const answered = servers.map(() => new Map<number, number>());
  for (let value = 1; value <= writes + 50; value += 1) {
    for (const [index, server] of servers.entries()) {
      const began = performance.now();
      await server.write(value);
      const ended = performance.now();
      // The first ones fill caches and plans.
      if (value > 50) times[index]?.push(ended - began);
      answered[index]?.set(value, ended);
    }
  }
  await wait(3000);
  const [without, events, behind] = times.map((each) => at(each, 0.5)) as [number, number, number];
  console.log(`a write of one value, median of ${writes}, one after the other on each server in turn:`);
  console.log(`  without events ${without.toFixed(2)} ms`);
  console.log(`  with a webhook and a stream ${events.toFixed(2)} ms: ${(events / without).toFixed(2)} times`);
  console.log(
    `  the same while ${backlog} events wait for another webhook ${behind.toFixed(2)} ms: ${(behind / events).toFixed(2)} times that`,
  );
  for (const [name, { arrived }, index] of [
    ["", one, 1],
    [" behind the queue", two, 2],
  ] as const) {
    const delays = [...arrived].flatMap(([value, time]) => {
      const end = answered[index]?.get(value);
      return end === undefined || value <= 50 ? [] : [Math.max(0, time - end)];
    });
    console.log(
      `from the answer to the webhook${name}: p50 ${at(delays, 0.5).toFixed(1)} ms, p99 ${at(delays, 0.99).toFixed(1)} ms (${delays.length} deliveries)`,
    );
  }
  await measureListeners(servers[1]);
} finally {
  for (const end of endings) await end();
}
process.exit(0);
