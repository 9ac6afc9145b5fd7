import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const repository = path.join(import.meta.dirname, "..");
const read = (file: string): Promise<string> => readFile(path.join(repository, file), "utf8");

/** What stands in the first column of a table. */
const columnsIn = (page: string): readonly string[] =>
  [...page.matchAll(/^\| (`.*?`[^|]*) \|/gm)].map(([, column = ""]) => column);

/** What stands in backticks there. */
const packagesIn = (columns: readonly string[]): ReadonlySet<string> =>
  new Set(columns.flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)));

test("docs/reference/dependencies.md says of every package of package.json what it is for, and of no other", async () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(await read("package.json"));
  const installed = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const named = packagesIn(columnsIn(await read("docs/reference/dependencies.md")));
  expect(installed.filter((name) => !named.has(name))).toEqual([]);
  expect([...named].filter((name) => !installed.includes(name))).toEqual([]);
});

test("packages inside of the package are those that the page names, and come with their licenses", async () => {
  const inside = columnsIn(await read("docs/reference/dependencies.md")).filter((column) => column.includes("inside"));
  const { devDependencies } = JSON.parse(await read("package.json"));
  const licenses = await read("dist/licenses.txt");
  const included = new Set([...licenses.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm)].map(([, name = ""]) => name));
  const ours = [...included].filter((name) => Object.hasOwn(devDependencies, name));
  expect(ours.sort()).toEqual([...packagesIn(inside)].sort());
});
