/**
 * The cost of a repeated public read: see `repeats.ts`. Then the cost of caching in vain: requests for one document
 * after another, with a hundred commits per second. Rounds are interleaved; prints medians. Build first.
 *
 *     npm run bench:repeated -- [--match "one document"] [--rounds 5] [--seconds 2] [--connections 16]
 */
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import postgres from "postgres";
import type { Call } from "./load.ts";
import { callsOf } from "./measure.ts";
import { type Asking, compareRepeats, printRepeats, printRepeatsHead, repeated } from "./repeats.ts";
import { prepare, type Running, startOurs, startPostgres } from "./servers.ts";

const { values } = parseArgs({
  options: {
    match: { type: "string", default: "" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    connections: { type: "string", default: "16" },
  },
});

const PAUSE = 10;

const database = await startPostgres();
const asking: Asking = {
  database,
  rounds: { count: Number(values.rounds), seconds: Number(values.seconds) },
  connections: Number(values.connections),
};
const servers: Running[] = [];
const started = async (server: Promise<Running>): Promise<Running> => {
  servers.push(await server);
  return server;
};

const list = (): Call => repeated["list, 3 relations + media"]?.call ?? { path: "" };

/** Runs `work` during continuous commits. */
const whileCommitting = async (work: () => Promise<unknown>): Promise<void> => {
  const client = postgres(database.url, { max: 1, onnotice: () => {} });
  await client.unsafe("create table if not exists bench_commits (id int)");
  const over = new AbortController();
  const committing = (async () => {
    while (!over.signal.aborted) {
      await client.unsafe("insert into bench_commits values (1)");
      await setTimeout(PAUSE);
    }
  })();
  await work();
  over.abort();
  await committing;
  await client.end();
};

try {
  await prepare(database.url);
  const keeping = await started(startOurs(database.url, { keeps: true }));
  const reading = await started(startOurs(database.url));
  printRepeatsHead();
  for (const [name, repeat] of Object.entries(repeated))
    if (name.includes(values.match)) await compareRepeats(name, repeat, { keeping, reading }, asking);
  const all = [
    { name: "read each time", server: reading },
    { name: "stored in vain", server: keeping },
    { name: "with an ETag that does not help", server: reading, headers: { "if-none-match": 'W/"none"' } },
  ];
  const one = callsOf({ name: "", path: "/api/articles/artc{number}" });
  console.log("\nWhile something is committed all the time:\n");
  printRepeatsHead();
  await whileCommitting(async () => {
    if ("one of 10,000 documents".includes(values.match))
      await printRepeats("one of 10,000 documents", all, one, asking);
    if ("the same list".includes(values.match)) await printRepeats("the same list", all, list, asking);
  });
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await database.stop();
}
