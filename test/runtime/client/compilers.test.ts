/** The types of the generated client in projects whose compiler has other options than this one. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { repository } from "../../support/cms.ts";

const run = promisify(execFile);
const program = path.join(repository, "test/types/without-strict.ts");
const compiler = path.join(repository, "node_modules/typescript-7/bin/tsc");
const options = ["--noEmit", "--ignoreConfig", "--allowImportingTsExtensions", "--types", "node"];
const bundler = ["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"];

/** What the compiler prints, which checks the declarations of packages too. */
const faultsWith = (...more: readonly string[]): Promise<string> =>
  run(process.execPath, [compiler, ...options, ...bundler, ...more, program], { cwd: repository }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );

test("queries and answers have the same types without strict", async () => {
  expect(await faultsWith("--strict", "false")).toBe("");
});

test("and with strict, but without exactOptionalPropertyTypes", async () => {
  expect(await faultsWith("--strict", "true", "--lib", "es2023,dom,dom.iterable")).toBe("");
});

test("the types of the client reach no package of the server", async () => {
  const golden = path.join(repository, "test/golden");
  const projects = (await readdir(golden)).map((name) => path.join(golden, name));
  const clients = [repository, ...projects]
    .map((project) => path.join(project, "generated/client/index.ts"))
    .filter((file) => existsSync(file));
  expect(clients.length).toBeGreaterThan(5);
  const files = await faultsWith("--listFilesOnly", ...clients);
  const packages = files.matchAll(/node_modules\/((?:@(?!typescript)[^/]+\/)?[\w-]+)\/(?!.*node_modules\/)/g);
  expect([...new Set([...packages].map(([, name]) => name))].toSorted()).toEqual([
    "@types/node",
    "undici-types",
    "zod",
  ]);
});
