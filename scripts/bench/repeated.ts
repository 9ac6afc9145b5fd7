/**
 * What a public read costs that was asked before, as a multiple of a server that does nothing but send the same bytes:
 * CPU per request of Node and PostgreSQL, where answers are kept, where the client has the answer, and where each is
 * read; and what a 304 costs as a part of the answer. Rounds are interleaved; medians are printed. Build first.
 *
 *     npm run bench:repeated -- [--match "one document"] [--rounds 5] [--seconds 2] [--connections 8]
 */
import { parseArgs } from "node:util";
import { cpuOf } from "./cpu.ts";
import { load, type Target } from "./load.ts";
import { prepare, type Running, startOurs, startPostgres, startStatic } from "./servers.ts";

const { values } = parseArgs({
  options: {
    match: { type: "string", default: "" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    connections: { type: "string", default: "8" },
  },
});

const document = `/api/articles/artc${"1".padStart(20, "0")}`;
const list =
  "/api/articles?pagination%5BpageSize%5D=25&populate%5Bauthor%5D=true&populate%5Breviewer%5D=true&populate%5Bcategories%5D=true&populate%5Bcover%5D=true";
const NONE = { node: Number.NaN, postgres: Number.NaN };
const GOAL = 2;

/** Most of an answer's cost that its 304 may have. */
const PART = 0.5;

interface Asked {
  readonly name: string;
  readonly server: Running;
  readonly headers?: Target["headers"];
  readonly goal?: number;
}

/** Microseconds of CPU per request. */
interface Cost {
  readonly node: number;
  readonly postgres: number;
}

const total = ({ node, postgres }: Cost): number => node + postgres;

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

const database = await startPostgres();
const servers: Running[] = [];
const started = async (server: Promise<Running>): Promise<Running> => {
  servers.push(await server);
  return server;
};

const cost = async ({ server, headers = {} }: Asked, path: string): Promise<Cost> => {
  const [node, postgres] = [cpuOf(server.pid), cpuOf(database.pid)];
  const target = { port: server.port, headers, connections: Number(values.connections) };
  const { requests } = await load(target, () => ({ path }), Number(values.seconds));
  return { node: (cpuOf(server.pid) - node) / requests, postgres: (cpuOf(database.pid) - postgres) / requests };
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
    { name: "not kept, and the client has it", server: reading, headers: condition },
  ];
  for (const each of all) for (let turn = 0; turn < 2; turn += 1) await cost(each, path);
  const rounds: Cost[][] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const costs: Cost[] = [];
    for (const each of all) costs.push(await cost(each, path));
    rounds.push(costs);
  }
  const ratio = (one: number, other: number): number =>
    median(rounds.map((costs) => total(costs[one] ?? NONE) / total(costs[other] ?? NONE)));
  for (const [index, each] of all.entries()) {
    const of = (part: keyof Cost): string => median(rounds.map((costs) => costs[index]?.[part] ?? 0)).toFixed(0);
    const multiple = ratio(index, 0);
    const goal = each.goal === undefined ? "" : `${each.goal} ${multiple <= each.goal ? "met" : "missed"}`;
    console.log(`| ${name} | ${each.name} | ${of("node")} + ${of("postgres")} | ${multiple.toFixed(2)} | ${goal} |`);
  }
  const part = ratio(all.length - 1, all.length - 2);
  const verdict = `${PART} ${part <= PART ? "met" : "missed"}`;
  console.log(`| ${name} | not kept: the 304 as a part of the answer | | ${part.toFixed(2)} | ${verdict} |`);
};

try {
  await prepare(database.url);
  const keeping = await started(startOurs(database.url, "entity", true));
  const reading = await started(startOurs(database.url));
  console.log("| request | answer | µs CPU, Node + PostgreSQL | ratio | goal |\n| --- | --- | --- | --- | --- |");
  for (const [name, path] of Object.entries({ "one document": document, "list, 3 relations + media": list }))
    if (name.includes(values.match)) await compare(name, path, keeping, reading);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await database.stop();
}
