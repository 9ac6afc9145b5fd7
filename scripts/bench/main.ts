/**
 * Compares this server with a hand-written one, on the same PostgreSQL and the same 10,000 documents: CPU per request
 * of Node plus PostgreSQL, and requests per second. Rounds are interleaved; medians are printed. Build first.
 *
 *     npm run bench -- [--match "one document"] [--rounds 5] [--seconds 2]
 */
import { isDeepStrictEqual, parseArgs } from "node:util";
import { cpuOf } from "./cpu.ts";
import { type Call, fetchJson, load } from "./load.ts";
import { type BenchRequest, requests } from "./requests.ts";
import { prepare, type Running, startHandWritten, startOurs, startPostgres } from "./servers.ts";

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

const measure = async (
  server: Running,
  database: Running,
  request: BenchRequest,
  duration: number,
): Promise<Measured> => {
  const node = cpuOf(server.pid);
  const postgres = cpuOf(database.pid);
  const { requests: count, seconds: took } = await load(server.port, callsOf(request), duration);
  return {
    node: (cpuOf(server.pid) - node) / count,
    postgres: (cpuOf(database.pid) - postgres) / count,
    perSecond: count / took,
  };
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

const sameAnswers = async (ours: Running, handWritten: Running, request: BenchRequest): Promise<void> => {
  const next = callsOf(request);
  const call = next();
  const one = lasting(await fetchJson(ours.port, call), request);
  // A new document of the same number has another slug.
  number -= 1;
  const other = lasting(await fetchJson(handWritten.port, request.method === "POST" ? next() : call), request);
  if (!isDeepStrictEqual(one, other)) {
    throw new Error(
      `${request.name}: the answers differ\n${JSON.stringify(one).slice(0, 2000)}\n${JSON.stringify(other).slice(0, 2000)}`,
    );
  }
};

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const compare = async (
  ours: Running,
  handWritten: Running,
  database: Running,
  request: BenchRequest,
): Promise<string> => {
  await sameAnswers(ours, handWritten, request);
  await measure(ours, database, request, 1);
  await measure(handWritten, database, request, 1);
  const pairs: { own: Measured; other: Measured }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const own = await measure(ours, database, request, seconds);
    pairs.push({ own, other: await measure(handWritten, database, request, seconds) });
  }
  const total = ({ node, postgres }: Measured): number => node + postgres;
  const cost = median(pairs.map(({ own, other }) => total(own) / total(other)));
  const speed = median(pairs.map(({ own, other }) => own.perSecond / other.perSecond));
  const parts = (side: "own" | "other"): string => {
    const of = (key: keyof Measured): string => median(pairs.map((pair) => pair[side][key])).toFixed(0);
    return `${of("node")} + ${of("postgres")}`;
  };
  const verdict = cost <= request.goal ? "met" : "missed";
  return line([
    request.name,
    parts("own"),
    parts("other"),
    cost.toFixed(2),
    `${request.goal} ${verdict}`,
    speed.toFixed(2),
  ]);
};

const database = await startPostgres();
const servers: Running[] = [];
try {
  await prepare(database.url);
  const ours = await startOurs(database.url);
  servers.push(ours);
  const handWritten = await startHandWritten(database.url);
  servers.push(handWritten);
  console.log(
    line(["request", "ours: µs CPU, Node + PostgreSQL", "hand-written", "CPU ratio", "goal", "requests/s ratio"]),
  );
  console.log(line(["---", "---", "---", "---", "---", "---"]));
  const chosen = requests.filter(({ name }) => name.includes(values.match));
  for (const request of chosen) console.log(await compare(ours, handWritten, database, request));
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await database.stop();
}
