/**
 * Prints what the line of a request costs: by itself, and as a part of the CPU of Node per request,
 * for a stored answer, where a line weighs most, and for one that is read. Rounds with lines and without are
 * interleaved; prints medians. The lines go to another process, or to a file.
 * Build first.
 *
 *     npm run bench:log -- [--rounds 11] [--seconds 1] [--alone]
 *
 * `--alone` leaves out the servers, whose noise on a busy machine is more than the line.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { median } from "./compare.ts";
import { cpuOf } from "./cpu.ts";
import { load } from "./load.ts";
import { prepare, type Running, startOurs, startPostgres } from "./servers.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "11" },
    seconds: { type: "string", default: "1" },
    alone: { type: "boolean", default: false },
  },
});
const target = `/api/articles/artc${"1".padStart(20, "0")}`;
const GOAL = 3;

/** CPU per request, in microseconds. */
const cost = async (server: Running): Promise<number> => {
  const before = cpuOf(server.pid);
  const { requests } = await load({ port: server.port }, () => ({ path: target }), Number(values.seconds));
  return (cpuOf(server.pid) - before) / requests;
};

/** Measures a line by itself, in a process that is built as a server is. */
const measureLine = async (): Promise<void> => {
  const folder = path.resolve(import.meta.dirname, "../../.cms/line-cost");
  const outfile = path.join(folder, "line-cost.mjs");
  const entryPoints = [path.join(import.meta.dirname, "line-cost.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", packages: "external" });
  const child = spawn(process.execPath, [outfile], { stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.resume();
  await once(child, "close");
  rmSync(folder, { recursive: true });
};

await measureLine();
if (values.alone) process.exit(0);

const database = await startPostgres();
const servers: Running[] = [];
try {
  await prepare(database.url);
  console.log(
    "| answer | µs without lines | µs with lines | ratio | µs of a line | goal |\n| --- | --- | --- | --- | --- | --- |",
  );
  for (const [name, keeps] of [
    ["stored", true],
    ["read", false],
  ] as const) {
    const without = await startOurs(database.url, { keeps, lines: false });
    servers.push(without);
    const logging = await startOurs(database.url, { keeps, lines: true });
    servers.push(logging);
    for (let turn = 0; turn < 4; turn += 1) for (const server of [without, logging]) await cost(server);
    const rounds: (readonly [number, number])[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1)
      rounds.push([await cost(without), await cost(logging)]);
    const line = median(rounds.map(([none, all]) => all - none));
    const columns = [
      median(rounds.map(([none]) => none)).toFixed(1),
      median(rounds.map(([, all]) => all)).toFixed(1),
      median(rounds.map(([none, all]) => all / none)).toFixed(3),
      line.toFixed(1),
      `${GOAL} ${line <= GOAL ? "met" : "missed"}`,
    ];
    console.log(`| ${name} | ${columns.join(" | ")} |`);
  }
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await database.stop();
}
