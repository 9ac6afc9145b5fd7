/**
 * Prints the cost of a project's types for a compiler: generates a made-up project of 100 content types with 20
 * attributes each and checks it strictly; then the same with a file of 50 typed reads, by application code and by a
 * front end, with completions inside one of them. `npm run type-cost [-- TYPES]`. Run `npm run build` first. Counts are
 * exact; times depend on the machine.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { strictOptions } from "../generator/commands/generate/strict-options.ts";
import { makeProject } from "./made-up-project.ts";
import { completionTimes } from "./type-cost/completions.ts";
import { application, frontEnd, reads } from "./type-cost/reads.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const root = path.join(repository, ".cms", "type-cost");
const READS = 50;

const run = (...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout;
};

/** One compiler program: its counters, named as by `--extendedDiagnostics`. */
type Cost = ReadonlyMap<string, number>;

const MEASURES = [
  ["Instantiations", "instantiations", 1],
  ["Types", "types", 1],
  ["Check time", "s to check", 1],
  ["Total time", "s in all", 1],
  ["Memory used", "MB", 1024],
] as const;

const compilers = [
  ["TypeScript 7", path.join(repository, "node_modules", "typescript-7", "bin", "tsc")],
  [`TypeScript ${ts.version}`, path.join(repository, "node_modules", "typescript", "lib", "tsc.js")],
] as const;

const options = { ...strictOptions, lib: ["ES2023"], types: ["node"] };

const configure = (name: string, include: readonly string[]): string => {
  const file = path.join(root, `tsconfig.${name}.json`);
  // As in projects created by `cms init`.
  writeFileSync(file, JSON.stringify({ compilerOptions: options, include, exclude: ["generated/relations.ts"] }));
  return file;
};

const costOf = (compiler: string, configuration: string): Cost =>
  new Map(
    [...run(compiler, "-p", configuration, "--extendedDiagnostics").matchAll(/^([\w ]+): +([\d.]+)/gm)].map(
      ([, name = "", value]) => [name, Number(value)],
    ),
  );

const print = (title: string, cost: Cost, before?: Cost): void => {
  const parts = MEASURES.map(([name, word, unit]) => {
    const value = ((cost.get(name) ?? 0) - (before?.get(name) ?? 0)) / unit;
    return `${value.toLocaleString("en", { maximumFractionDigits: word.startsWith("s") ? 2 : 0 })} ${word}`;
  });
  console.log(`  ${title}: ${parts.join(", ")}`);
};

const types = Number(process.argv[2] ?? 100);
rmSync(root, { recursive: true, force: true });
mkdirSync(root, { recursive: true });
makeProject(root, types);
run(path.join(repository, "dist", "generator", "cli.js"), "--root", root, "generate");
const readers = [
  ["the service", "service", application],
  ["the client", "client", frontEnd],
] as const;
for (const [, name, reader] of readers) {
  writeFileSync(path.join(root, `${name}.ts`), reads(READS, types, reader));
  writeFileSync(path.join(root, `no-${name}.ts`), reads(0, types, reader));
}

console.log(`${types} content types with 20 attributes each`);
for (const [name, compiler] of compilers) {
  console.log(name);
  print("generated/", costOf(compiler, configure("generated", ["generated"])));
  for (const [title, file] of readers) {
    const without = costOf(compiler, configure(`no-${file}`, ["generated", `no-${file}.ts`]));
    const complete = costOf(compiler, configure(file, ["generated", `${file}.ts`]));
    print(`${READS} typed reads, beyond generated/ and ${title}`, complete, without);
  }
}
for (const [who, file, reader] of readers) {
  console.log(
    `Completions with ${who} (TypeScript ${ts.version}, generated/ and the reads open), after a change of the file, time of the processor`,
  );
  const configuration = configure(file, ["generated", `${file}.ts`]);
  for (const { title, names, milliseconds } of completionTimes(configuration, `${file}.ts`, reader)) {
    console.log(`  ${title}: ${milliseconds.map((time) => `${Math.round(time)} ms`).join(", ")} (${names} names)`);
  }
}
rmSync(root, { recursive: true, force: true });
