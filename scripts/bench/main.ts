/**
 * Compares this server with a hand-written one, on the same PostgreSQL and the same 10,000 documents: CPU per request
 * of Node plus PostgreSQL, and requests per second; then its GraphQL with its REST, on the same answers. Rounds are
 * interleaved; medians are printed. Build first.
 *
 *     npm run bench -- [--match "one document"] [--rounds 5] [--seconds 2]
 */
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { cpuOf } from "./cpu.ts";
import { type Call, fetchJson, load } from "./load.ts";
import { type BenchRequest, type GraphqlFormat, graphqlPairs, requests } from "./requests.ts";
import { prepare, type Running, startHandWritten, startOurs, startPostgres } from "./servers.ts";
import { fromGraphql, fromRest } from "./shapes.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    match: { type: "string", default: "" },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

const DOCUMENTS = 10_000;

const encoded = (path: string): string => encodeURI(path).replaceAll("[", "%5B").replaceAll("]", "%5D");

let number = 0;

/** Every request asks for another document. */
const callsOf = ({ path, method, body }: BenchRequest): (() => Call) => {
  let next = 0;
  return () => {
    next = (next + 7919) % DOCUMENTS;
    number += 1;
    return {
      path: encoded(path.replace("{document}", `artc${String(next + 1).padStart(20, "0")}`)),
      ...(method ? { method } : {}),
      ...(body ? { body: body(number) } : {}),
    };
  };
};

interface Measured {
  /** Microseconds of CPU per request. */
  readonly node: number;
  readonly postgres: number;
  readonly perSecond: number;
}

/** The request as the hand-written server takes it. */
const byHand = (request: BenchRequest): BenchRequest => ({
  ...request,
  path: request.path + (request.variant ?? ""),
});

/** A request, and who is asked. */
interface Side {
  readonly server: Running;
  readonly request: BenchRequest;
}

const measure = async ({ server, request }: Side, database: Running, duration: number): Promise<Measured> => {
  const node = cpuOf(server.pid);
  const postgres = cpuOf(database.pid);
  const { requests: count, seconds: took } = await load(server.port, callsOf(request), duration);
  return {
    node: (cpuOf(server.pid) - node) / count,
    postgres: (cpuOf(database.pid) - postgres) / count,
    perSecond: count / took,
  };
};

/** Requests before measuring: by then the engine has compiled what runs often. */
const WARM_UP = 4000;

const warmUp = async ({ server, request }: Side): Promise<void> => {
  const next = callsOf(request);
  for (let sent = 0; sent < WARM_UP;) sent += (await load(server.port, next, 1)).requests;
};

const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

/** What differs from one write to the next. */
const VOLATILE = new Set(["id", "documentId", "createdAt", "updatedAt", "publishedAt", "slug", "title"]);

const lasting = (answer: unknown, request: BenchRequest): unknown =>
  request.method
    ? JSON.parse(JSON.stringify(answer, (key, value: unknown) => (VOLATILE.has(key) ? undefined : value)))
    : answer;

const checkAlike = async (ours: Running, handWritten: Running, request: BenchRequest): Promise<void> => {
  const one = lasting(await fetchJson(ours.port, callsOf(request)()), request);
  // The same body, but for the slug of a new document.
  number -= 1;
  const other = lasting(await fetchJson(handWritten.port, callsOf(byHand(request))()), request);
  assert.deepEqual(one, other);
};

/** GraphQL has the values of REST, in shapes of its own. */
const checkValues = async (graphql: Side, rest: Side): Promise<void> => {
  const ask = ({ server, request }: Side): Promise<unknown> => fetchJson(server.port, callsOf(request)());
  assert.deepEqual(fromGraphql(await ask(graphql)), fromRest(await ask(rest)));
};

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

/** One row of the table: what both cost, and how many times the other's the first one's is. */
const compare = async (own: Side, other: Side, database: Running): Promise<string> => {
  await warmUp(own);
  await warmUp(other);
  const pairs: { own: Measured; other: Measured }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const measured = await measure(own, database, seconds);
    pairs.push({ own: measured, other: await measure(other, database, seconds) });
  }
  const total = ({ node, postgres }: Measured): number => node + postgres;
  const cost = median(pairs.map((pair) => total(pair.own) / total(pair.other)));
  const speed = median(pairs.map((pair) => pair.own.perSecond / pair.other.perSecond));
  const parts = (side: "own" | "other"): string => {
    const of = (key: keyof Measured): string => median(pairs.map((pair) => pair[side][key])).toFixed(0);
    return `${of("node")} + ${of("postgres")}`;
  };
  const { name, goal } = own.request;
  const verdict = goal === undefined ? "none" : `${goal} ${cost <= goal ? "met" : "missed"}`;
  return line([name, parts("own"), parts("other"), cost.toFixed(2), verdict, speed.toFixed(2)]);
};

const printHead = (own: string, other: string): void => {
  console.log(line(["request", `${own}: µs CPU, Node + PostgreSQL`, other, "CPU ratio", "goal", "requests/s ratio"]));
  console.log(line(["---", "---", "---", "---", "---", "---"]));
};

const isChosen = ({ name }: BenchRequest): boolean => name.includes(values.match);

const database = await startPostgres();
const servers: Running[] = [];
const started = async (server: Promise<Running>): Promise<Running> => {
  servers.push(await server);
  return server;
};
try {
  await prepare(database.url);
  const ours = await started(startOurs(database.url));
  const handWritten = await started(startHandWritten(database.url));
  printHead("ours", "hand-written");
  for (const request of requests.filter(isChosen)) {
    await checkAlike(ours, handWritten, request);
    console.log(await compare({ server: ours, request }, { server: handWritten, request: byHand(request) }, database));
  }
  console.log("");
  printHead("GraphQL", "REST");
  const flat = await started(startOurs(database.url, "flat"));
  const byFormat: Readonly<Record<GraphqlFormat, Running>> = { entity: ours, flat };
  for (const { format, graphql, rest } of graphqlPairs.filter((pair) => isChosen(pair.graphql))) {
    const own = { server: byFormat[format], request: graphql };
    const other = { server: byFormat[format], request: rest };
    await checkValues(own, other);
    console.log(await compare(own, other, database));
  }
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await database.stop();
}
