import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { completeManifest } from "../../generator/packages/complete-manifest.ts";
import { neededPackages } from "../../generator/packages/imported-packages.ts";
import { packageManagerOf } from "../../generator/packages/package-manager.ts";
import { emptyFolder } from "../support/cms.ts";
import { goldenCases, goldenFolder } from "../support/golden.ts";
import { renderProject } from "../support/render-project.ts";

/** Only packages are needed. */
const complete = (text: string, dependencies: Readonly<Record<string, string>>) =>
  completeManifest(text, { type: undefined, scripts: {}, dependencies });

/** `drizzle-orm/pg-core` -> `drizzle-orm`. */
const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

test("generated files import the packages that a project declares, and no others", async () => {
  const imported = new Set<string>();
  for (const name of goldenCases) {
    for (const text of (await renderProject(goldenFolder(name))).values()) {
      for (const [, specifier = ""] of text.matchAll(/^(?:import .*|\}) from "([^."][^"]*)";$/gm)) {
        imported.add(packageOf(specifier));
      }
    }
  }
  expect([...imported].toSorted()).toEqual(Object.keys(neededPackages()).toSorted());
});

test("a package.json gets what it does not declare where its order has a place for it, and nothing else changes", () => {
  const text = '{\r\n\t"name": "site",\r\n\t"dependencies": {\r\n\t\t"a": "1",\r\n\t\t"x": "^2"\r\n\t}\r\n}\r\n';
  expect(complete(text, { a: "9.9.9", m: "3.0.0" })).toEqual({
    text: text.replace('"1",\r\n', '"1",\r\n\t\t"m": "3.0.0",\r\n'),
    added: ["m 3.0.0"],
    toInstall: true,
  });
  expect(complete('{ "devDependencies": { "m": "1" } }', { m: "3.0.0" })?.added).toEqual([]);
  expect(complete("{}", { m: "3.0.0" })?.text).toContain('"m": "3.0.0"');
});

test.each(["{", "[]", '{ "dependencies": ["m"] }'])("%s is not completed", (text) => {
  expect(complete(text, { m: "3.0.0" })).toBeUndefined();
});

test.each([
  ["pnpm-lock.yaml", "pnpm add --save-exact"],
  ["yarn.lock", "yarn add --exact"],
  ["bun.lock", "bun add --exact"],
  ["package-lock.json", "npm install --save-exact"],
])("a workspace with %s takes packages by %s", async (file, add) => {
  const folder = await emptyFolder();
  await writeFile(path.join(folder, file), "");
  const member = path.join(folder, "apps", "content");
  await mkdir(member, { recursive: true });
  expect(packageManagerOf(member).add).toBe(add);
});
