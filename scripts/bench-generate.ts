/**
 * Prints how long a whole `cms generate` process takes: the first run, one after a change of one attribute of one
 * content type, and one without changes. `npm run bench:generate [-- DIR]`; DIR contains schema files. Without it, the
 * script makes up a project of 100 content types.
 * Run `npm run build` first.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
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

/** The best of several runs: the machine's speed when otherwise idle. */
const best = (measure: () => number): string => {
  const times = Array.from({ length: RUNS }, measure).toSorted((a, b) => a - b);
  return `${Math.round(times[0] ?? 0)} ms (worst ${Math.round(times.at(-1) ?? 0)} ms)`;
};

/** Changes the limit of one attribute, so that the run must regenerate everything but writes little. */
const changeOne = (file: string, run: number): void => {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/"maxLength":\s*\d+/, `"maxLength":${100 + run}`));
};

rmSync(root, { recursive: true, force: true });
const [given] = process.argv.slice(2);
const from = given === undefined ? makeProject(root, TYPES) : path.resolve(given);
const first = best(() => {
  // Including the caches of earlier runs.
  for (const folder of ["generated", ".cms"]) rmSync(path.join(root, folder), { recursive: true, force: true });
  return time(from);
});
const figures = [`everything anew ${first}`];
if (given === undefined) {
  const changed = path.join(from, "item-0", "schema.json");
  let run = 0;
  figures.push(
    `one attribute changed ${best(() => {
      run += 1;
      changeOne(changed, run);
      return time(from);
    })}`,
  );
}
time(from);
figures.push(`nothing changed ${best(() => time(from))}`);
console.log(`${path.relative(repository, from)}: ${figures.join(", ")}, best of ${RUNS}`);
rmSync(root, { recursive: true, force: true });
