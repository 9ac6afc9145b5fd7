/** Writes `docs/api/` anew: `npm run docs:api`. With `--check` it only says whether the folder is up to date. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { renderPages } from "./render.ts";
import { readEntries } from "./symbols.ts";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "docs/api");

const write = async (pages: ReadonlyMap<string, string>): Promise<void> => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of pages) await writeFile(path.join(folder, name), text);
};

const check = async (pages: ReadonlyMap<string, string>): Promise<void> => {
  const there = new Map<string, string>();
  for (const name of await readdir(folder)) there.set(name, await readFile(path.join(folder, name), "utf8"));
  const stale = [...new Set([...pages.keys(), ...there.keys()])].filter((name) => pages.get(name) !== there.get(name));
  for (const name of stale) console.error(`docs/api/${name} is not up to date: run npm run docs:api`);
  if (stale.length > 0) process.exitCode = 1;
};

await (process.argv.includes("--check") ? check : write)(renderPages(readEntries(root)));
