import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const repository = path.join(import.meta.dirname, "..");
const read = (file: string): Promise<string> => readFile(path.join(repository, file), "utf8");

/** What stands in backticks in the first column of a table, or where packages that are held at a version are named. */
const packagesIn = (page: string): ReadonlySet<string> => {
  const [tables = "", held = ""] = page.split("## Held at a version");
  const named = [...tables.matchAll(/^\| (`.*?`[^|]*) \|/gm)].map(([, column = ""]) => column).concat(held);
  return new Set(named.flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)));
};

test("docs/dependencies.md says of every package of package.json what it is for, and of no other", async () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(await read("package.json"));
  const installed = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const named = packagesIn(await read("docs/dependencies.md"));
  expect(installed.filter((name) => !named.has(name))).toEqual([]);
  const known = new Set([...installed, "engine-strict"]);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
});
