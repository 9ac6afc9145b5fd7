/**
 * Writes `docs/api/` anew: `npm run docs:api`. With `--check` it only says whether the folder is up to date, and everything
 * that the package exports has a docstring.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { renderPages } from "./render.ts";
import { type Entry, readEntries } from "./symbols.ts";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "docs/api");

const write = async (pages: ReadonlyMap<string, string>): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of pages) await writeFile(path.join(folder, name), text);
};

/** Names of entries and of what they export that say nothing of themselves. */
const silentIn = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ specifier, description, symbols }) => [
    ...(description === "" ? [specifier] : []),
    ...symbols.filter((each) => each.description === "").map(({ name }) => `${specifier} ${name}`),
  ]);

const check = async (entries: readonly Entry[]): Promise<void> => {
  const pages = renderPages(entries);
  const there = new Map<string, string>();
  for (const name of await readdir(folder)) there.set(name, await readFile(path.join(folder, name), "utf8"));
  const stale = [...new Set([...pages.keys(), ...there.keys()])].filter((name) => pages.get(name) !== there.get(name));
  for (const name of stale) console.error(`docs/api/${name} is not up to date: run npm run docs:api`);
  const silent = silentIn(entries);
  for (const name of silent) console.error(`${name} has no docstring`);
  if (stale.length + silent.length > 0) process.exitCode = 1;
};

const entries = readEntries(root);
await (process.argv.includes("--check") ? check(entries) : write(renderPages(entries)));
