import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cms, repository, serve } from "../support/cms.ts";
import { generatedProject, migratedProject } from "../support/project.ts";

test("a server refuses to start while migrations are pending, and says what to run", async () => {
  const root = await generatedProject();
  const { code, stderr } = await cms(root, ["start", "--port", "0"]);
  expect(code).toBe(2);
  expect(stderr).toContain("cms migrate");
});

test("starting and serving loads no part of the generator, and an unchanged project no bundler", async () => {
  const root = await migratedProject();
  const first = await serve(root);
  await first.stop();

  const log = path.join(root, "loaded.txt");
  await writeFile(log, "");
  const hook = path.join(repository, "test/support/log-modules.mjs");
  const second = await serve(root, { NODE_OPTIONS: `--import ${hook}`, LOADED_MODULES: log });
  await fetch(`${second.url}/api/articles`);
  await second.stop();
  const loaded = await readFile(log, "utf8");
  expect(loaded).toContain("/dist/generator/commands/start.js");
  expect(loaded).not.toMatch(/\/dist\/generator\/(?:schema|model|attributes|emit|migrate|output|diagnostics)\//);
  expect(loaded).not.toMatch(/\/node_modules\/(?:ts-morph|handlebars|drizzle-kit|esbuild|chokidar)\//);
});

test("a server that is told to stop ends with 0 and frees its database", async () => {
  const root = await migratedProject();
  const { stop } = await serve(root);
  expect(await stop()).toBe(0);
  expect((await cms(root, ["token", "list"])).code).toBe(0);
});

test("a command that needs the embedded database of a running server names the process that holds it", async () => {
  const root = await migratedProject();
  await serve(root);
  const { code, stderr } = await cms(root, ["token", "list"]);
  expect(code).toBe(2);
  expect(stderr).toContain('"cms start"');
});

test("a port that is taken is named", async () => {
  const root = await migratedProject();
  const { url } = await serve(root);
  const other = await migratedProject();
  const { port } = new URL(url);
  const { code, stderr } = await cms(other, ["start", "--port", port]);
  expect(code).toBe(2);
  expect(stderr).toContain(`Port ${port} is in use`);
});

test("a database that cannot be reached is named without its password", async () => {
  const root = await generatedProject();
  const { code, stderr } = await cms(root, ["start"], { DATABASE_URL: "postgres://me:hidden@127.0.0.1:1/site" });
  expect(code).toBe(2);
  expect(stderr).toContain("127.0.0.1:1/site");
  expect(stderr).not.toContain("hidden");
});

test("a project without generated code says what to run", async () => {
  const root = await migratedProject();
  await rm(path.join(root, "generated/index.ts"));
  const { code, stderr } = await cms(root, ["start"]);
  expect(code).toBe(2);
  expect(stderr).toContain("cms generate");
});
