import path from "node:path";
import { expect, test } from "vitest";
import { readEntries } from "../scripts/api-reference/symbols.ts";

test("everything that the package exports has a docstring", () => {
  const entries = readEntries(path.join(import.meta.dirname, ".."));
  const symbols = entries.flatMap(({ specifier, symbols }) => symbols.map((symbol) => ({ specifier, ...symbol })));
  expect(symbols.length).toBeGreaterThan(100);
  const silent = symbols.filter(({ description }) => description === "");
  expect(silent.map(({ specifier, name }) => `${specifier} ${name}`)).toEqual([]);
  expect(entries.filter(({ description }) => description === "")).toEqual([]);
});
