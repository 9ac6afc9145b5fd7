/**
 * Rows about repeated public reads: their cost as a multiple of a server that only sends the same bytes, with the
 * response cache, with the client's own cache, and without any.
 */
import { median, type Rounds } from "./compare.ts";
import { cpuOf } from "./cpu.ts";
import { type Call, load, type Target } from "./load.ts";
import { graphqlPairs } from "./requests.ts";
import { type Running, startStatic } from "./servers.ts";

/** The maximum cost of a cached response, as a multiple of the same bytes. */
const GOAL = 2;

const list =
  "/api/articles?pagination%5BpageSize%5D=25&populate%5Bauthor%5D=true&populate%5Breviewer%5D=true&populate%5Bcategories%5D=true&populate%5Bcover%5D=true";

/** A repeated read. */
export interface Repeat {
  readonly call: Call;
  /** A GET request with the same answer. */
  readonly path: string;
}

const rest = (path: string): Repeat => ({ path, call: { path } });

const [pair] = graphqlPairs;
const operation = pair?.graphql.body?.(0) ?? {};
const graphql: Repeat = {
  path: `/graphql?query=${encodeURIComponent("query" in operation ? String(operation.query) : "")}`,
  call: { path: "/graphql", method: "POST", body: operation },
};

/** The reads, by name. */
export const repeated: Readonly<Record<string, Repeat>> = {
  "one document": rest(`/api/articles/artc${"1".padStart(20, "0")}`),
  "list, 3 relations + media": rest(list),
  "GraphQL, list, 3 relations + media": graphql,
};

/** The servers that get the same request. */
export interface Asked {
  readonly name: string;
  readonly server: Running;
  readonly headers?: Target["headers"];
  readonly goal?: number;
}

/** CPU per request, in microseconds. */
interface Cost {
  readonly node: number;
  readonly postgres: number;
}

export interface Asking {
  readonly database: { readonly pid: number };
  readonly rounds: Rounds;
  /** The number of concurrent requests. */
  readonly connections: number;
}

const total = ({ node, postgres }: Cost): number => node + postgres;

const costOf = async ({ server, headers = {} }: Asked, next: () => Call, asking: Asking): Promise<Cost> => {
  const { database, connections, rounds } = asking;
  const [node, postgres] = [cpuOf(server.pid), cpuOf(database.pid)];
  const { requests } = await load({ port: server.port, headers, connections }, next, rounds.seconds);
  return { node: (cpuOf(server.pid) - node) / requests, postgres: (cpuOf(database.pid) - postgres) / requests };
};

/** Prints a row for each target, as multiples of the first one's cost. */
export const printRepeats = async (
  name: string,
  all: readonly Asked[],
  next: () => Call,
  asking: Asking,
): Promise<void> => {
  for (const each of all) for (let turn = 0; turn < 2; turn += 1) await costOf(each, next, asking);
  const rounds: Cost[][] = [];
  for (let round = 0; round < asking.rounds.count; round += 1) {
    const costs: Cost[] = [];
    for (const each of all) costs.push(await costOf(each, next, asking));
    rounds.push(costs);
  }
  const ratio = (one: number, other: number): number =>
    median(rounds.flatMap(({ [one]: own, [other]: base }) => (own && base ? total(own) / total(base) : [])));
  for (const [index, each] of all.entries()) {
    const of = (part: keyof Cost): string => median(rounds.map((costs) => costs[index]?.[part] ?? 0)).toFixed(0);
    const multiple = ratio(index, 0);
    const goal = each.goal === undefined ? "" : `${each.goal} ${multiple <= each.goal ? "met" : "missed"}`;
    console.log(`| ${name} | ${each.name} | ${of("node")} + ${of("postgres")} | ${multiple.toFixed(2)} | ${goal} |`);
  }
};

export const printRepeatsHead = (): void =>
  console.log("| request | answer | µs CPU, Node + PostgreSQL | ratio | goal |\n| --- | --- | --- | --- | --- |");

/** The servers for repeated reads: one with the response cache, and one without. */
export interface Keepers {
  readonly keeping: Running;
  readonly reading: Running;
}

/** Prints the cost of a continuously repeated read. */
export const compareRepeats = async (
  name: string,
  { path, call }: Repeat,
  { keeping, reading }: Keepers,
  asking: Asking,
): Promise<void> => {
  const answer = await fetch(`http://127.0.0.1:${keeping.port}${path}`);
  const tag = answer.headers.get("etag");
  await answer.text();
  const fixed = await startStatic(reading, path);
  const plain: readonly Asked[] = [
    { name: "the same bytes", server: fixed },
    { name: "stored", server: keeping, goal: GOAL },
    { name: "read each time", server: reading },
  ];
  if (tag === null) await printRepeats(name, plain, () => call, asking);
  else {
    const condition = { "if-none-match": tag };
    const all: readonly Asked[] = [
      ...plain,
      { name: "stored, compressed", server: keeping, headers: { "accept-encoding": "gzip" } },
      { name: "stored, and the client has it", server: keeping, headers: condition, goal: GOAL },
      { name: "not stored, and the client has it", server: reading, headers: condition },
    ];
    await printRepeats(name, all, () => call, asking);
  }
  await fixed.stop();
};
