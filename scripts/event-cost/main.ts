/**
 * Prints the cost of events, history and the audit log: a write with and without them and with a long queue, the delay
 * from a write to its delivery, the storage of a version, and the memory of a listener. `npm run bench:events --
 * [--writes 300] [--backlog 1000000] [--listeners 10000]`. Linux only, as it reads /proc. Run `npm run build` first.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { openReceiver } from "../../test/support/webhook-receiver.ts";
import { residentOf } from "../process-memory.ts";
import { endings, type Server, start } from "./server.ts";

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

/** Rounds that fill caches and plans, and do not count. */
const WARMING = 50;

const at = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;

const queried = async <Result>(url: string, work: (sql: postgres.Sql) => Promise<Result>): Promise<Result> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  return work(sql).finally(() => sql.end());
};

const receiver = async () => {
  const arrived: { readonly value: number; readonly time: number }[] = [];
  const { url } = await openReceiver({
    answer(response, _number, { value }) {
      arrived.push({ value, time: performance.now() });
      response.writeHead(204).end();
    },
    atEnd: (work) => endings.push(work),
  });
  return { url, arrived };
};

/** Queues the given number of events for a receiver that never answers. */
const fill = (url: string) =>
  queried(url, async (sql) => {
    await sql.unsafe(`insert into event_log (id, name, uid, document_id, created_at, entry)
      select 'evt_' || n, 'entry.update', 'api::message.message', 'waiting' || n % 100000, now(), '{}'
      from generate_series(1, ${backlog}) as n`);
    await sql.unsafe(`insert into event_deliveries (consumer, position, document_id, state, attempts, due_at)
      select 'stuck', position, document_id, 'pending', 0, created_at from event_log`);
    await sql.unsafe("vacuum analyze");
    await sql.unsafe("select pg_stat_reset()");
  });

/** Whether any statement has read a whole table of the queue since it was filled. */
const printScans = ({ url }: Server) =>
  queried(url, async (sql) => {
    const rows = await sql`select relname, seq_scan, idx_scan, pg_total_relation_size(relid) / 1000000 as size
      from pg_stat_user_tables where relname in ('event_deliveries', 'event_log') order by relname`;
    for (const { relname, seq_scan, idx_scan, size } of rows)
      console.log(`  ${relname}: ${size} MB, read by index ${idx_scan} times, as a whole ${seq_scan} times`);
  });

const printStorage = ({ url }: Server, table: string, what: string) =>
  queried(url, async (sql) => {
    const [row] = await sql.unsafe(
      `select pg_total_relation_size('${table}') / count(*) as each, count(*)::int as number from ${table}`,
    );
    console.log(`  ${row?.["each"]} bytes for each of ${row?.["number"]} ${what}, with indexes`);
  });

const measureListeners = async ({ port, token, pid }: Server): Promise<void> => {
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

const shuffled = <Item>(items: readonly Item[]): readonly Item[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);

/** The times of the same work on each server, in another order each time: what one does afterwards disturbs the next. */
const inTurn = async (servers: readonly Server[], work: (server: Server, round: number) => Promise<unknown>) => {
  const times = new Map(servers.map(({ name }): [string, number[]] => [name, []]));
  for (let round = 1; round <= writes + WARMING; round += 1) {
    for (const server of shuffled(servers)) {
      const began = performance.now();
      await work(server, round);
      if (round > WARMING) times.get(server.name)?.push(performance.now() - began);
    }
  }
  const median = (name: string): number => at(times.get(name) ?? [], 0.5);
  const against = (name: string, other: string): string =>
    `${median(name).toFixed(2)} ms, ${(median(name) / median(other)).toFixed(2)} times ${median(other).toFixed(2)} ms`;
  return against;
};

const printDelays = (name: string, { arrived }: Awaited<ReturnType<typeof receiver>>, answers: Map<number, number>) => {
  const delays = arrived.flatMap(({ value, time }) => {
    const end = answers.get(value);
    return end === undefined || value <= WARMING ? [] : [Math.max(0, time - end)];
  });
  const late = arrived.filter(({ value }, index) => value < (arrived[index - 1]?.value ?? 0)).length;
  console.log(
    `from the answer to the webhook${name}: p50 ${at(delays, 0.5).toFixed(1)} ms, p99 ${at(delays, 0.99).toFixed(1)} ms (${delays.length} deliveries, ${new Set(arrived.flatMap(({ value }) => value || [])).size} different of ${answers.size}, ${late} out of order)`,
  );
};

const measureWrites = async (servers: readonly Server[]) => {
  const answers = new Map(servers.map(({ name }) => [name, new Map<number, number>()]));
  const against = await inTurn(servers, async (server, round) => {
    await server.write(round);
    answers.get(server.name)?.set(round, performance.now());
  });
  console.log(`a write of one value, median of ${writes}, one after the other on each server in turn:`);
  console.log(`  with a webhook and a stream ${against("events", "without")} without events`);
  console.log(`  while ${backlog} events wait for another webhook ${against("backlog", "events")} with none waiting`);
  console.log(`  with history ${against("history", "without")} without`);
  console.log(`  with the audit log ${against("audit", "without")} without`);
  return answers;
};

const measureDeletions = async (servers: readonly Server[]): Promise<void> => {
  const against = await inTurn(servers, async (server, round) => server.remove(await server.create(round)));
  console.log(`creating and deleting a document, median of ${writes}:`);
  console.log(`  with history ${against("history", "without")} without`);
  console.log(`  with the audit log ${against("audit", "without")} without`);
};

try {
  const [one, two] = [await receiver(), await receiver()];
  const hanging = await openReceiver({ answer: () => {}, atEnd: (work) => endings.push(work) });
  const without = await start("without", {});
  const events = await start("events", { events: { stream: {}, webhooks: [{ name: "site", url: one.url }] } });
  const webhooks = [
    { name: "site", url: two.url },
    { name: "stuck", url: hanging.url },
  ];
  const behind = await start("backlog", { events: { stream: {}, webhooks }, prepare: fill });
  const history = await start("history", { history: true });
  const audit = await start("audit", { audit: true });
  const answers = await measureWrites([without, events, behind, history, audit]);
  await wait(3000);
  printDelays("", one, answers.get("events") ?? new Map());
  printDelays(" behind the queue", two, answers.get("backlog") ?? new Map());
  await printScans(behind);
  await measureDeletions([without, history, audit]);
  await printStorage(history, "document_versions", "versions of a document with one number");
  await printStorage(audit, "audit_log", "entries");
  await measureListeners(events);
} finally {
  for (const end of endings) await end();
}
process.exit(0);
