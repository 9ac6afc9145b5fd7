/**
 * Compares this server with a hand-written one, on the same PostgreSQL and the same 10,000 documents: CPU per request
 * of Node plus PostgreSQL, and requests per second. For reads there is also a server that does as little as possible.
 * Then follow writes beside single statements that check nothing, lists with cached totals, repeated reads (`repeats.ts`), and GraphQL against REST with the same answers.
 * Rounds are interleaved; prints medians. Build first.
 *
 *     npm run bench -- [--match "one document"] [--rounds 5] [--seconds 1] [--peer http://127.0.0.1:1337 [--peer-token …]]
 *
 * `--peer` names another server of this wire format, such as a running Strapi with the same content: prints how many of
 * the same reads it answers per second, and whether the values are the same.
 */
import assert from "node:assert/strict";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { printCost, printCostHead, printSpeed, printSpeedHead } from "./compare.ts";
import { fetchJson } from "./load.ts";
import { callsOf, repeatBody, type Side } from "./measure.ts";
import { peerAt } from "./peer.ts";
import { compareRepeats, printRepeatsHead, repeated } from "./repeats.ts";
import { asOneRow, type BenchRequest, type GraphqlFormat, graphqlPairs, pages, requests, stories } from "./requests.ts";
import { prepare, type Running, startHandWritten, startLimit, startOurs, startPostgres, tidy } from "./servers.ts";
import { fromGraphql, fromRest } from "./shapes.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "1" },
    match: { type: "string", default: "" },
    peer: { type: "string" },
    "peer-token": { type: "string" },
  },
});
const rounds = { count: Number(values.rounds), seconds: Number(values.seconds) };

/** The part that differs from one write to the next. */
const VOLATILE = new Set(["id", "documentId", "createdAt", "updatedAt", "publishedAt", "slug", "title"]);

/** PostgreSQL prints timestamps without trailing zeros. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

const lasting = (answer: unknown, { method }: BenchRequest): unknown =>
  JSON.parse(JSON.stringify(answer), (key, value: unknown) => {
    if (method !== undefined && VOLATILE.has(key)) return undefined;
    return typeof value === "string" && INSTANT.test(value) ? new Date(value).toISOString() : value;
  });

const checkAlike = async (ours: Running, handWritten: Running, request: BenchRequest): Promise<void> => {
  const one = lasting(await fetchJson(ours, callsOf(request)()), request);
  // The same body, except for a new document's slug.
  repeatBody();
  const other = lasting(await fetchJson(handWritten, callsOf(request)()), request);
  assert.deepEqual(one, other);
};

const ask = ({ server, request }: Side): Promise<unknown> => fetchJson(server, callsOf(request)());

/** GraphQL has the values of REST, in other shapes. */
const checkValues = async (graphql: Side, rest: Side): Promise<void> => {
  assert.deepEqual(fromGraphql(await ask(graphql)), fromRest(await ask(rest)));
};

/** Each server has its own row ids. */
const areAlike = async (own: Side, other: Side): Promise<boolean> => {
  const [one, two] = await Promise.all([ask(own), ask(other)]);
  return isDeepStrictEqual(fromRest(one), fromRest(two));
};

const isChosen = ({ name }: BenchRequest): boolean => name.includes(values.match);

/** Prints the cost of lists with cached totals, beside a server that counts each time. */
const printPages = async (least: Running): Promise<void> => {
  const chosen = pages.filter(isChosen);
  if (chosen.length === 0) return;
  console.log("");
  await tidy(database.url);
  const keeping = await started(startOurs(database.url, { keeps: "totals" }));
  printCostHead("totals kept, answers not", "the limit");
  for (const request of chosen) {
    await checkAlike(keeping, least, request);
    await printCost({ own: { server: keeping, request }, other: { server: least, request } }, database, rounds);
  }
};

/** Connections that write stories. */
const WRITERS = 16;

/** Prints the cost of writes beside what any server has to store, and beside a single row. */
const printWrites = async (ours: Running, least: Running): Promise<void> => {
  const chosen = stories.filter(isChosen);
  if (chosen.length === 0) return;
  console.log("");
  await tidy(database.url);
  printCostHead("ours", "all that has to be stored", "one row");
  const own = { ...ours, connections: WRITERS };
  const other = { ...least, connections: WRITERS };
  for (const request of chosen) {
    await checkAlike(own, other, request);
    const limit = { server: other, request: asOneRow(request) };
    await printCost({ own: { server: own, request }, other: { server: other, request }, limit }, database, rounds);
  }
};

/** Prints the cost of repeated reads: cached answers, and 304s. */
const printRepeated = async (reading: Running): Promise<void> => {
  const chosen = Object.entries(repeated).filter(([name]) => name.includes(values.match));
  if (chosen.length === 0) return;
  console.log("");
  // Earlier writes have left dead rows in the lists.
  await tidy(database.url);
  const keeping = await started(startOurs(database.url, { keeps: true }));
  printRepeatsHead();
  for (const [name, path] of chosen)
    await compareRepeats(name, path, { keeping, reading }, { database, rounds, connections: 16 });
};

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
  const least = await started(startLimit(database.url));
  printCostHead("ours", "hand-written", "the limit");
  for (const request of requests.filter(isChosen)) {
    await checkAlike(ours, handWritten, request);
    const limit = request.method ? undefined : { server: least, request };
    if (limit) await checkAlike(ours, least, request);
    const own = { server: ours, request };
    await printCost({ own, other: { server: handWritten, request }, limit }, database, rounds);
  }
  await printWrites(ours, least);
  await printPages(least);
  await printRepeated(ours);
  console.log("");
  await tidy(database.url);
  printCostHead("GraphQL", "REST");
  const flat = await started(startOurs(database.url, { format: "flat" }));
  const byFormat: Readonly<Record<GraphqlFormat, Running>> = { entity: ours, flat };
  for (const { format, graphql, rest } of graphqlPairs.filter((pair) => isChosen(pair.graphql))) {
    const own = { server: byFormat[format], request: graphql };
    const other = { server: byFormat[format], request: rest };
    await checkValues(own, other);
    await printCost({ own, other }, database, rounds);
  }
  if (values.peer !== undefined) {
    const peer = peerAt(values.peer, values["peer-token"]);
    console.log("");
    printSpeedHead();
    for (const request of requests.filter((each) => isChosen(each) && !each.method)) {
      const own = { server: ours, request };
      const other = { server: peer, request };
      await printSpeed(own, other, { database, rounds, alike: await areAlike(own, other) });
    }
  }
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await database.stop();
}
