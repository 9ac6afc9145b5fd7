import { existsSync } from "node:fs";
import { cp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { packageEntries } from "../../scripts/package-entries.ts";
import { emptyFolder, repository, run, type Run, serve } from "../support/cms.ts";
import { bothDatabases, freshPostgresUrl } from "../support/database.ts";
import { installPacked } from "../support/packed.ts";

type Environment = Readonly<Record<string, string>>;

/** Runs the installed program as `npx cms` would. */
const installedCms = (folder: string, env: Environment, ...args: string[]): Promise<Run> =>
  run(path.join(folder, "node_modules/.bin/cms"), args, { cwd: folder, env });

const mustRun = async (folder: string, env: Environment, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await installedCms(folder, env, ...args);
  expect(code, stderr).toBe(0);
  return stdout.trim();
};

const addAttribute = async (folder: string): Promise<void> => {
  const file = path.join(folder, "content-types/article/schema.json");
  const schema = await readFile(file, "utf8");
  await writeFile(file, schema.replace('"body":', '"subtitle": { "type": "string" },\n    "body":'));
};

test.each(bothDatabases)("an empty folder becomes a server that stores and answers, on %s", async (kind) => {
  const folder = await emptyFolder();
  await installPacked(folder);
  const env: Environment =
    kind === "postgres" ? { DATABASE_URL: await freshPostgresUrl((work) => onTestFinished(work)) } : {};
  const program = path.join(folder, "node_modules/galley-cms/dist/generator/cli.js");

  await mustRun(folder, env, "init");
  await addAttribute(folder);
  await mustRun(folder, env, "generate");
  await mustRun(folder, env, "migrate");
  await mustRun(folder, env, "permissions", "apply");
  const token = await mustRun(folder, env, "token", "create", "--name", "test", "--type", "full-access");
  const { url, stop } = await serve(folder, env, { program });

  const created = await fetch(`${url}/api/articles`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ data: { title: "Hello", slug: "hello", subtitle: "World" } }),
  });
  expect(created.status).toBe(201);
  const { data } = await (await fetch(`${url}/api/articles?filters[slug]=hello`)).json();
  expect(data).toMatchObject([{ title: "Hello", slug: "hello", subtitle: "World", body: null }]);
  expect(await stop()).toBe(0);
});

test("a project that was set up passes a strict type check", async () => {
  const folder = await emptyFolder();
  await installPacked(folder);
  await mustRun(folder, {}, "init");
  await mustRun(folder, {}, "generate");
  const compiler = path.join(import.meta.dirname, "../../node_modules/typescript-7/bin/tsc");
  const { code, stdout } = await run(process.execPath, [compiler, "-p", "."], { cwd: folder });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
});

test("init leaves a folder with files of its own as it is", async () => {
  const folder = await emptyFolder();
  await writeFile(path.join(folder, "cms.config.ts"), "export default {};\n");
  await installPacked(folder);
  const { code, stderr } = await installedCms(folder, {}, "init");
  expect(code).toBe(2);
  expect(stderr).toContain("cms.config.ts");
  expect(await readdir(folder)).not.toContain("content-types");
});

test("the package holds what it runs from, and nothing else", async () => {
  const folder = await emptyFolder();
  await installPacked(folder);
  const top = await readdir(path.join(folder, "node_modules/galley-cms"));
  expect(top.sort()).toEqual(["LICENSE", "README.md", "dist", "docs", "package.json", "templates"]);
});

const sourceOf = (module: string): string => path.join(repository, module.replace(/\.(?:d\.ts|js)$/, ".ts"));

test("every module in the package has a source", async () => {
  const folder = await emptyFolder();
  await installPacked(folder);
  const dist = path.join(folder, "node_modules/galley-cms/dist");
  const modules = (await readdir(dist, { recursive: true })).filter((name) => /\.(?:d\.ts|js)$/.test(name));
  expect(modules.length).toBeGreaterThan(500);
  expect(modules.filter((name) => !existsSync(sourceOf(name)))).toEqual([]);
  expect((await readdir(path.join(dist, "embedded"))).length).toBe(1);
});

/** Puts a copy of a dependency in the place of the link to it, as another version that describes a scalar otherwise. */
const upgradeScalars = async (folder: string): Promise<void> => {
  const place = path.join(folder, "node_modules/graphql-scalars");
  const source = await realpath(place);
  await rm(place);
  await cp(source, place, { recursive: true });
  const rewrite = async (name: string, from: string, to: string): Promise<void> => {
    const file = path.join(place, name);
    const text = await readFile(file, "utf8");
    expect(text).toContain(from);
    await writeFile(file, text.replace(from, to));
  };
  const { version }: { version: string } = JSON.parse(await readFile(path.join(place, "package.json"), "utf8"));
  await rewrite("package.json", `"version": "${version}"`, '"version": "999.0.0"');
  await rewrite("esm/scalars/iso-date/DateTime.js", "A date-time string", "An instant");
};

test("what a run remembers is forgotten when a dependency is upgraded", async () => {
  const folder = await emptyFolder();
  await installPacked(folder);
  await mustRun(folder, {}, "init");
  await mustRun(folder, {}, "generate");
  const schema = path.join(folder, "generated/schema.graphql");
  expect(await readFile(schema, "utf8")).toContain("A date-time string");
  await upgradeScalars(folder);
  await mustRun(folder, {}, "generate");
  expect(await readFile(schema, "utf8")).toContain("An instant");
});

/** Every text in a JSON value. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

test("every file that its package.json names is in the package", async () => {
  const folder = await emptyFolder();
  await installPacked(folder);
  const installed = path.join(folder, "node_modules/galley-cms");
  const { bin, exports }: { bin: unknown; exports: unknown } = JSON.parse(
    await readFile(path.join(installed, "package.json"), "utf8"),
  );
  const named = textsIn([bin, exports]);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((file) => !existsSync(path.join(installed, file)))).toEqual([]);
});

test("the repository's own compiler options name the source of every module that the package exports", async () => {
  const { compilerOptions }: { compilerOptions: { paths: object } } = JSON.parse(
    await readFile(path.join(repository, "tsconfig.json"), "utf8"),
  );
  const sources = packageEntries(repository).map(({ specifier, source }) => [specifier, [`./${source}`]]);
  expect(compilerOptions.paths).toEqual(Object.fromEntries(sources));
});
