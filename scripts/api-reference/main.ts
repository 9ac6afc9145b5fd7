/**
 * Writes the API reference to `docs/api/`, which is not committed: `npm run docs:api`. With `--check` it renders the
 * pages, writes nothing, and fails if an export of the package has no docstring.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
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

/** Names of entries and exports that are not self-explanatory. */
const silentIn = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ specifier, description, symbols }) => [
    ...(description === "" ? [specifier] : []),
    ...symbols.filter((each) => each.description === "").map(({ name }) => `${specifier} ${name}`),
  ]);

const check = (entries: readonly Entry[]): void => {
  renderPages(entries);
  const silent = silentIn(entries);
  for (const name of silent) console.error(`${name} has no docstring`);
  if (silent.length > 0) process.exitCode = 1;
};

const entries = readEntries(root);
if (process.argv.includes("--check")) check(entries);
else await write(renderPages(entries));
