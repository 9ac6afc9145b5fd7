/**
 * What a public read costs that was asked before, as a multiple of a server that does nothing but send the same bytes:
 * CPU per request of Node plus PostgreSQL, where answers are kept, where the client has the answer, and where each is
 * read. Rounds are interleaved; medians are printed. Build first.
 *
 *     npm run bench:repeated -- [--rounds 5] [--seconds 2]
 */
import { parseArgs } from "node:util";
import { cpuOf } from "./cpu.ts";
import { load, type Target } from "./load.ts";
import { prepare, type Running, startOurs, startPostgres, startStatic } from "./servers.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "2" } },
});

const document = `/api/articles/artc${"1".padStart(20, "0")}`;
const list =
  "/api/articles?pagination%5BpageSize%5D=25&populate%5Bauthor%5D=true&populate%5Breviewer%5D=true&populate%5Bcategories%5D=true&populate%5Bcover%5D=true";
const GOAL = 2;

interface Asked {
  readonly name: string;
  readonly server: Running;
  readonly headers?: Target["headers"];
  readonly goal?: number;
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

const database = await startPostgres();
const servers: Running[] = [];
const started = async (server: Promise<Running>): Promise<Running> => {
  servers.push(await server);
  return server;
};

/** Microseconds of CPU per request. */
const cost = async ({ server, headers = {} }: Asked, path: string): Promise<number> => {
  const before = cpuOf(server.pid) + cpuOf(database.pid);
  const { requests } = await load({ port: server.port, headers }, () => ({ path }), Number(values.seconds));
  return (cpuOf(server.pid) + cpuOf(database.pid) - before) / requests;
};

const compare = async (name: string, path: string, keeping: Running, reading: Running): Promise<void> => {
  const answer = await fetch(`http://127.0.0.1:${keeping.port}${path}`);
  const condition = { "if-none-match": answer.headers.get("etag") ?? "" };
  await answer.text();
  const all: readonly Asked[] = [
    { name: "the same bytes", server: await started(startStatic(reading, path)) },
    { name: "kept", server: keeping, goal: GOAL },
    { name: "kept, compressed", server: keeping, headers: { "accept-encoding": "gzip" } },
    { name: "kept, and the client has it", server: keeping, headers: condition, goal: GOAL },
    { name: "read each time", server: reading },
  ];
  for (const each of all) for (let turn = 0; turn < 2; turn += 1) await cost(each, path);
  const rounds: number[][] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const costs: number[] = [];
    for (const each of all) costs.push(await cost(each, path));
    rounds.push(costs);
  }
  for (const [index, each] of all.entries()) {
    const ratio = median(rounds.map((costs) => (costs[index] ?? 0) / (costs[0] ?? 1)));
    const own = median(rounds.map((costs) => costs[index] ?? 0)).toFixed(0);
    const goal = each.goal === undefined ? "" : `${each.goal} ${ratio <= each.goal ? "met" : "missed"}`;
    console.log(`| ${name} | ${each.name} | ${own} | ${ratio.toFixed(2)} | ${goal} |`);
  }
};

try {
  await prepare(database.url);
  const keeping = await started(startOurs(database.url, "entity", true));
  const reading = await started(startOurs(database.url));
  console.log("| request | answer | µs CPU, Node + PostgreSQL | ratio | goal |\n| --- | --- | --- | --- | --- |");
  await compare("one document", document, keeping, reading);
  await compare("list, 3 relations + media", list, keeping, reading);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await database.stop();
}
