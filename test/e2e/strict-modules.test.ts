import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyFolder, repository, run, type Run, serve } from "../support/cms.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { installStrictly } from "../support/packed.ts";

const { version, dependencies }: { version: string; dependencies: Readonly<Record<string, string>> } = JSON.parse(
  await readFile(path.join(repository, "package.json"), "utf8"),
);
const drizzle = `drizzle-orm@${dependencies["drizzle-orm"]}`;

/** pnpm's program sets NODE_PATH so that Node finds what editors and the project's own code do not. */
const env = { NODE_PATH: path.join(repository, "node_modules") };

const installedCms = async (folder: string, ...args: string[]): Promise<Run> => {
  const ended = await run(path.join(folder, "node_modules/.bin/cms"), args, { cwd: folder, env });
  expect(ended).toMatchObject({ code: 0 });
  return ended;
};

const typeCheck = (folder: string): Promise<Run> => {
  const compiler = path.join(repository, "node_modules/typescript-7/bin/tsc");
  return run(process.execPath, [compiler, "-p", ".", "--singleThreaded"], { cwd: folder });
};

test("a project that finds only what it declares is told what to add, and then type-checks and serves", async () => {
  const folder = await emptyFolder();
  const own = { name: "site", dependencies: { "galley-cms": version }, license: "MIT" };
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify(own, null, 4)}\n`);
  await installStrictly(folder);

  const started = await installedCms(folder, "init");
  expect(started.stdout).toContain("package.json");
  expect(started.stdout).toContain("pnpm install");
  const completed = await readFile(path.join(folder, "package.json"), "utf8");
  const { "drizzle-orm": orm, zod } = dependencies;
  const scripts = { dev: "cms dev", generate: "cms generate", migrate: "cms migrate", start: "cms start" };
  const declared = { "drizzle-orm": orm, "galley-cms": version, zod };
  const expected = { ...own, dependencies: declared, type: "module", scripts };
  expect(completed).toBe(`${JSON.stringify(expected, null, 4)}\n`);

  const early = await installedCms(folder, "generate");
  expect(early.stderr).toContain(`pnpm add --save-exact ${drizzle}`);
  expect((await typeCheck(folder)).stdout).toContain("Cannot find module 'drizzle-orm/pg-core'");

  await installStrictly(folder);
  expect((await installedCms(folder, "generate")).stderr).toBe("");
  expect(await typeCheck(folder)).toMatchObject({ code: 0, stdout: "" });

  await writeFile(path.join(folder, ".env"), `DATABASE_URL=${await freshPostgresUrl(onTestFinished)}\n`);
  await installedCms(folder, "migrate");
  await installedCms(folder, "permissions", "apply");
  const program = path.join(folder, "node_modules/galley-cms/dist/generator/cli.js");
  const { url } = await serve(folder, {}, { program });
  expect((await fetch(`${url}/api/articles`)).status).toBe(200);
});
