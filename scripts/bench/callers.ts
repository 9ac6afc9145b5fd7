/**
 * Compares the cost of the same request from the public, from a user and from an API token: CPU per request, as
 * multiples of the public's. Rounds are interleaved; prints medians. Build first.
 *
 *     npm run bench:callers -- [--rounds 7] [--seconds 2]
 */
import { parseArgs } from "node:util";
import { cpuOf } from "./cpu.ts";
import { load } from "./load.ts";
import { createToken, prepare, type Running, startOurs, startPostgres } from "./servers.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "7" }, seconds: { type: "string", default: "2" } },
});
const path = `/api/articles/artc${"1".padStart(20, "0")}`;
const GOAL = 1.15;

/** The token of a newly registered user. */
const register = async (port: number): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/auth/local/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "bench", email: "bench@example.test", password: "Passw0rd!" }),
  });
  const { jwt }: { jwt?: string } = Object(await answer.json());
  if (jwt === undefined) throw new Error(`registration answered ${answer.status}`);
  return jwt;
};

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** CPU per request, in microseconds. */
const cost = async (server: Running, headers: Readonly<Record<string, string>>): Promise<number> => {
  const before = cpuOf(server.pid);
  const { requests } = await load({ port: server.port, headers }, () => ({ path }), Number(values.seconds));
  return (cpuOf(server.pid) - before) / requests;
};

const database = await startPostgres();
try {
  await prepare(database.url);
  const token = createToken(database.url);
  const server = await startOurs(database.url);
  const callers: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["public", {}],
    ["user with a JWT", { authorization: `Bearer ${await register(server.port)}` }],
    ["API token", { authorization: `Bearer ${token}` }],
  ];
  for (const [, headers] of callers) await cost(server, headers);
  const rounds: number[][] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const costs: number[] = [];
    for (const [, headers] of callers) costs.push(await cost(server, headers));
    rounds.push(costs);
  }
  console.log("| caller | µs CPU of Node | ratio | goal |\n| --- | --- | --- | --- |");
  for (const [index, [name]] of callers.entries()) {
    const ratio = median(rounds.map((costs) => (costs[index] ?? 0) / (costs[0] ?? 1)));
    const own = median(rounds.map((costs) => costs[index] ?? 0)).toFixed(0);
    const goal = index === 0 ? "" : `${GOAL} ${ratio <= GOAL ? "met" : "missed"}`;
    console.log(`| ${name} | ${own} | ${ratio.toFixed(2)} | ${goal} |`);
  }
  await server.stop();
} finally {
  await database.stop();
}
