/**
 * Prints how long `cms generate` takes as a whole process: the first run, and one that changes nothing.
 * `npm run bench:generate [-- DIR]`; DIR holds schema files. Without it a project of 100 content types is made up.
 * Run `npm run build` first.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeProject } from "./made-up-project.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const program = path.join(repository, "dist", "generator", "cli.js");
const root = path.join(repository, ".cms", "bench-generate");
const TYPES = 100;
const RUNS = 5;

/** Milliseconds of one run, from start to exit. */
const time = (from: string): number => {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [program, "--root", root, "generate", "--from", from], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - started;
};

/** The best of several runs: what the machine can do when nothing else keeps it busy. */
const best = (measure: () => number): string => {
  const times = Array.from({ length: RUNS }, measure).toSorted((a, b) => a - b);
  return `${Math.round(times[0] ?? 0)} ms (worst ${Math.round(times.at(-1) ?? 0)} ms)`;
};

rmSync(root, { recursive: true, force: true });
const [given] = process.argv.slice(2);
const from = given === undefined ? makeProject(root, TYPES) : path.resolve(given);
const first = best(() => {
  rmSync(path.join(root, "generated"), { recursive: true, force: true });
  return time(from);
});
time(from);
const again = best(() => time(from));
console.log(`${path.relative(repository, from)}: everything anew ${first}, nothing changed ${again}, best of ${RUNS}`);
rmSync(root, { recursive: true, force: true });
