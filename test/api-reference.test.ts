import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { renderPages } from "../scripts/api-reference/render.ts";
import { readEntries } from "../scripts/api-reference/symbols.ts";

const root = path.join(import.meta.dirname, "..");
const entries = readEntries(root);

test("everything that the package exports has a docstring", () => {
  const symbols = entries.flatMap(({ specifier, symbols }) => symbols.map((symbol) => ({ specifier, ...symbol })));
  expect(symbols.length).toBeGreaterThan(100);
  const silent = symbols.filter(({ description }) => description === "");
  expect(silent.map(({ specifier, name }) => `${specifier} ${name}`)).toEqual([]);
  expect(entries.filter(({ description }) => description === "")).toEqual([]);
});

test("the API reference is made from the sources as they are", async () => {
  const folder = path.join(root, "docs/api");
  const pages = renderPages(entries);
  expect((await readdir(folder)).toSorted()).toEqual([...pages.keys()].toSorted());
  for (const [name, text] of pages) expect(await readFile(path.join(folder, name), "utf8"), name).toBe(text);
});
