/**
 * Requests per second of our server with one and with two processes, and the CPU time of a request in each. A separate
 * process sends the requests, and PostgreSQL also needs some of the cores, so use an otherwise idle machine. What two
 * processes serve if the load and PostgreSQL are elsewhere follows from the CPU times. Rounds are interleaved; prints
 * medians. Build first.
 *
 *     npm run bench:workers -- [--rounds 5] [--seconds 2] [--connections 32] [--match TEXT] [--pin]
 *
 * With `--pin`, all processes of a server share the first core, and everything else the second (`taskset`): what a
 * second process costs on the core that it shares.
 */
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { median } from "./compare.ts";
import { childrenOf, cpuOf } from "./cpu.ts";
import { load } from "./load.ts";
import { callsOf } from "./measure.ts";
import { requests } from "./requests.ts";
import { prepare, type Running, startOurs, startPostgres } from "./servers.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    connections: { type: "string", default: "32" },
    match: { type: "string", default: "" },
    pin: { type: "boolean", default: false },
  },
});

/** Binds all threads of a process, and its children, to a core. */
const bind = (pid: number, core: string): void => {
  for (const each of [pid, ...childrenOf(pid)])
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", core, String(each)], { stdio: "ignore" });
};

const WORKERS = [1, 2];

const database = await startPostgres();
const servers: Running[] = [];
try {
  await prepare(database.url);
  for (const workers of WORKERS) servers.push(await startOurs(database.url, { workers }));
  if (values.pin) {
    for (const { pid } of servers) bind(pid, "0");
    for (const pid of [process.pid, database.pid]) bind(pid, "1");
  }
  console.log(
    "| request | requests/s, one worker | two workers | times as many | CPU, one worker | two workers | times as many with cores of their own |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  for (const request of requests.filter(({ method, name }) => method === undefined && name.includes(values.match))) {
    const next = callsOf(request);
    const speedOf = async ({ port, pid }: Running): Promise<readonly [speed: number, cpu: number]> => {
      const target = { port, connections: Number(values.connections) };
      const before = cpuOf(pid);
      const { requests: count, seconds } = await load(target, next, Number(values.seconds));
      return [count / seconds, (cpuOf(pid) - before) / count];
    };
    const speeds: number[][] = servers.map(() => []);
    const costs: number[][] = servers.map(() => []);
    for (let round = -1; round < Number(values.rounds); round += 1) {
      for (const [index, server] of servers.entries()) {
        const [speed, cost] = await speedOf(server);
        // The first round warms up.
        if (round < 0) continue;
        speeds[index]?.push(speed);
        costs[index]?.push(cost);
      }
    }
    const [one = 0, two = 0] = speeds.map(median);
    const [alone = 0, each = 0] = costs.map(median);
    const figures = [one.toFixed(0), two.toFixed(0), (two / one).toFixed(2)];
    const cpu = [`${alone.toFixed(0)} µs`, `${each.toFixed(0)} µs`, ((2 * alone) / each).toFixed(2)];
    console.log(`| ${[request.name, ...figures, ...cpu].join(" | ")} |`);
  }
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await database.stop();
}
