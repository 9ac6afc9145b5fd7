/**
 * Requests per second of our server with one and with two processes. A separate process sends the requests, and
 * PostgreSQL also needs some of the cores, so use an otherwise idle machine. Rounds are interleaved; prints medians.
 * Build first.
 *
 *     npm run bench:workers -- [--rounds 5] [--seconds 2] [--connections 32]
 */
import { parseArgs } from "node:util";
import { median } from "./compare.ts";
import { load } from "./load.ts";
import { callsOf } from "./measure.ts";
import { requests } from "./requests.ts";
import { prepare, type Running, startOurs, startPostgres } from "./servers.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    connections: { type: "string", default: "32" },
  },
});

const WORKERS = [1, 2];

const database = await startPostgres();
const servers: Running[] = [];
try {
  await prepare(database.url);
  for (const workers of WORKERS) servers.push(await startOurs(database.url, { workers }));
  console.log("| request | requests/s, one worker | two workers | times as many |\n| --- | --- | --- | --- |");
  for (const request of requests.filter(({ method }) => method === undefined)) {
    const next = callsOf(request);
    const speedOf = async ({ port }: Running): Promise<number> => {
      const target = { port, connections: Number(values.connections) };
      const { requests: count, seconds } = await load(target, next, Number(values.seconds));
      return count / seconds;
    };
    const speeds: number[][] = servers.map(() => []);
    for (let round = -1; round < Number(values.rounds); round += 1) {
      for (const [index, server] of servers.entries()) {
        const speed = await speedOf(server);
        // The first round warms up.
        if (round >= 0) speeds[index]?.push(speed);
      }
    }
    const [one = 0, two = 0] = speeds.map(median);
    console.log(`| ${request.name} | ${one.toFixed(0)} | ${two.toFixed(0)} | ${(two / one).toFixed(2)} |`);
  }
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await database.stop();
}
