import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { emptyFolder, repository, run } from "../support/cms.ts";

const table = `import { pgTable } from "drizzle-orm/pg-core";
import { versionColumns } from "galley-cms/columns";

export const notes = pgTable("notes", { ...versionColumns() });
`;
const index = `import { defineApplication } from "galley-cms/application";
import { notes } from "./note/table.ts";

export default defineApplication({ contentTypes: {}, components: {}, extensions: {} });
export { notes };
`;

/** An index that also hands out `name` as `module` exports it. */
const exporting = (name: string, module: string): string =>
  `import { ${name} } from "${module}";\n${index.replace("extensions: {}", `extensions: {}, ${name}`)}`;

const write = async (root: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
};

const project = async (files: Readonly<Record<string, string>> = {}): Promise<string> => {
  const root = await emptyFolder();
  await write(root, { "generated/index.ts": index, "generated/note/table.ts": table, ...files });
  return root;
};

/** Loads the application of `root` in a process of its own; returns what `expression` says of it and what was loaded. */
const load = async (root: string, expression: string, installed = repository) => {
  const log = path.join(root, "loaded.txt");
  await writeFile(log, "");
  const loader = pathToFileURL(path.join(installed, "dist/runtime/app/loader/load-application.js")).href;
  const code = `
    const { loadApplication } = await import(${JSON.stringify(loader)});
    const config = { generate: { to: "generated" }, panel: {} };
    const application = await loadApplication(${JSON.stringify(root)}, config);
    console.log(JSON.stringify(await (${expression})(application)));`;
  const hook = path.join(repository, "test/support/log-modules.mjs");
  const result = await run(process.execPath, ["--import", hook, "--input-type=module", "-e", code], {
    cwd: root,
    env: { LOADED_MODULES: log },
  });
  return { ...result, loaded: await readFile(log, "utf8") };
};

const keys = "(application) => Object.keys(application)";

test("an application loads in a folder that has no packages", async () => {
  const root = await project();
  const { stdout, stderr } = await load(root, keys);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual(["contentTypes", "components", "extensions"]);
});

test("the panel's extensions may import packages that leave parts out for browsers, and nothing of Node", async () => {
  const root = await project({
    "panel/extensions.tsx": 'import odd from "odd";\nexport default { odd };\n',
    "node_modules/odd/package.json": '{ "name": "odd", "main": "index.js", "browser": { "fs": false } }',
    "node_modules/odd/index.js": 'module.exports = require("fs");\n',
  });
  expect(await load(root, "() => 1")).toMatchObject({ code: 0, stderr: "" });
  await write(root, { "panel/extensions.tsx": 'import fs from "node:fs";\nexport default { fs };\n' });
  const { stderr } = await load(root, "() => 1");
  expect(stderr).toContain("panel/extensions.tsx:1:15");
  expect(stderr).toContain('"node:fs" is a part of Node, which browsers do not have');
  expect(stderr).not.toContain("npm install");
});

test("an unchanged application loads without esbuild", async () => {
  const root = await project();
  const first = await load(root, keys);
  const second = await load(root, keys);
  expect(first.loaded).toContain("/node_modules/esbuild/");
  expect(second.code).toBe(0);
  expect(second.loaded).not.toContain("/node_modules/esbuild/");
});

test("a change of any file that went in is noticed, and older builds are removed", async () => {
  const root = await project({ "generated/index.ts": exporting("mark", "./mark.ts") });
  for (const mark of ["one", "two", "three"]) {
    await write(root, { "generated/mark.ts": `export const mark = "${mark}";\n` });
    const { stdout } = await load(root, "({ mark }) => mark");
    expect(JSON.parse(stdout)).toBe(mark);
  }
  const bundles = (await readdir(path.join(root, ".cms/build"))).filter((name) => name.endsWith(".mjs"));
  expect(bundles).toHaveLength(1);
});

test("the application and the runtime share one instance of a package", async () => {
  const root = await project({
    "generated/index.ts": exporting("pgTable", "drizzle-orm/pg-core"),
  });
  const ours = path.join(repository, "dist/runtime/schema/columns.js");
  const { stdout, stderr } = await load(
    root,
    `async ({ pgTable }) => {
      const { documents } = await import(${JSON.stringify(pathToFileURL(ours).href)});
      return pgTable("t", {}).constructor === documents.constructor;
    }`,
  );
  expect(stderr).toBe("");
  expect(stdout.trim()).toBe("true");
});

test("packages of the user's own resolve from the project", async () => {
  const root = await project({
    "node_modules/greeting/package.json": '{ "name": "greeting", "type": "module", "exports": "./index.js" }',
    "node_modules/greeting/index.js": 'export const greeting = "hello";\n',
    "generated/index.ts": exporting("greeting", "greeting"),
  });
  const { stdout } = await load(root, "({ greeting }) => greeting");
  expect(JSON.parse(stdout)).toBe("hello");
});

test("a project that links to the package, as pnpm does, gets the package's own dependencies", async () => {
  const root = await project();
  await mkdir(path.join(root, "node_modules"));
  await symlink(repository, path.join(root, "node_modules/galley-cms"), "dir");
  expect(existsSync(path.join(root, "node_modules/drizzle-orm"))).toBe(false);
  const { stdout, stderr } = await load(root, keys, path.join(root, "node_modules/galley-cms"));
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toContain("contentTypes");
});

test("a syntax error names the file, the line and the column", async () => {
  const root = await project({ "generated/note/table.ts": `${table}const = 1;\n` });
  const { code, stderr } = await load(root, keys);
  expect(code).not.toBe(0);
  expect(stderr).toContain("generated/note/table.ts:5:6");
});

test("a project without generated code says what to run", async () => {
  const root = await emptyFolder();
  const { stderr } = await load(root, keys);
  expect(stderr).toContain("run `cms generate` first");
});
