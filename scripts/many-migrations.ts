/**
 * Compares `cms generate` and `cms migrate` with one migration and with many that have the same result: `npm run
 * many-migrations [-- COUNT]`, 200 by default. Exits with 1 if any command takes over a third longer. Brings its own
 * PostgreSQL, or uses `TEST_DATABASE_URL`. Run `npm run build` first.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openSources } from "../generator/commands/generate/project.ts";
import { generate } from "../generator/commands/generate/run.ts";
import { configSchema } from "../runtime/config/config.ts";
import { openPostgres } from "../runtime/database/postgres/postgres.ts";
import { startServer } from "../test/support/postgres-server.ts";
import { makeProject } from "./made-up-project.ts";

const program = path.join(fileURLToPath(new URL("..", import.meta.url)), "dist", "generator", "cli.js");
const TYPES = 20;
const RUNS = 7;
const MOST = 4 / 3;

interface Lab {
  readonly root: string;
  readonly database: string;
}

/** Adds this many attributes to one type. */
const grow = (root: string, count: number): void => {
  const file = path.join(root, "content-types", "item-0", "schema.json");
  const schema = JSON.parse(readFileSync(file, "utf8"));
  const added = Array.from({ length: count }, (_, index) => [`added${index + 1}`, { type: "string" }]);
  writeFileSync(
    file,
    JSON.stringify({ ...schema, attributes: { ...schema.attributes, ...Object.fromEntries(added) } }),
  );
};

/** Milliseconds of one command, from start to exit. */
const time = ({ root, database }: Lab, command: readonly string[]): number => {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [program, "--root", root, ...command], {
    encoding: "utf8",
    env: { ...process.env, DATABASE_URL: database },
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - began;
};

/** The CPU time of all commands that have ended, in milliseconds (Linux). */
const cpuOfChildren = (): number => {
  const [, fields = ""] = readFileSync("/proc/self/stat", "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(13, 15).map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10;
};

/** A project whose schema evolved in this many migrations. */
const makeLab = async (count: number, attributes: number, database: string): Promise<Lab> => {
  const root = mkdtempSync(path.join(tmpdir(), "galley-many-"));
  makeProject(root, TYPES);
  const { graphql, openapi } = configSchema.parse({ graphql: { artifacts: false }, openapi: { artifact: false } });
  const quick = { ...(await openSources(root, undefined)), graphql, openapi, client: false };
  for (let made = 1; made <= count; made++) {
    grow(root, made === count ? attributes : made);
    await generate(quick, {}, { adds: true });
  }
  const lab = { root, database };
  time(lab, ["generate"]);
  const before = cpuOfChildren();
  const applied = time(lab, ["migrate"]);
  console.log(`applying ${count}: ${Math.round(applied)} ms, CPU of the command ${cpuOfChildren() - before} ms`);
  return lab;
};

/** The best of several runs: the machine's speed when otherwise idle. */
const best = (times: readonly number[]): number => Math.min(...times);

const commands: readonly (readonly string[])[] = [
  ["generate"],
  ["generate", "--check"],
  ["migrate"],
  ["migrate", "status"],
];

/** Alternates between both, so that other load on the machine slows both; returns the ratio. */
const compare = (few: Lab, many: Lab, command: readonly string[]): number => {
  const times = Array.from({ length: RUNS }, () => [time(few, command), time(many, command)] as const);
  const [one, all] = [best(times.map(([each]) => each)), best(times.map(([, each]) => each))];
  console.log(
    `cms ${command.join(" ").padEnd(16)} ${Math.round(one)} ms with one, ${Math.round(all)} ms with all: ${(all / one).toFixed(2)} times`,
  );
  return all / one;
};

const count = Number(process.argv[2] ?? 200);
const server = await startServer();
const admin = await openPostgres(server.url, 1);
const names = ["few", "many"].map((name) => `galley_${name}_${process.pid}`);
const labs: Lab[] = [];
let isRight = false;
try {
  for (const [index, name] of names.entries()) {
    await admin.script(`create database ${name}`);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    const lab = await makeLab(index === 0 ? 1 : count, count, url.href);
    labs.push(lab);
  }
  const [few, many] = labs;
  console.log(`${count} migrations, ${TYPES} types; the best of ${RUNS}`);
  const ratios = few && many ? commands.map((command) => compare(few, many, command)) : [];
  isRight = ratios.every((ratio) => ratio <= MOST);
} finally {
  for (const { root } of labs) rmSync(root, { recursive: true, force: true });
  for (const name of names) await admin.script(`drop database if exists ${name} with (force)`);
  await admin.close();
  await server.stop();
}
// The server package makes the process exit with 0 by default.
process.exit(isRight ? 0 : 1);
