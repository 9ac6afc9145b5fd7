/** Projects that may be read and not written, as in containers and on machines that only check. */
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cmsOutput } from "../support/cms.ts";
import { filesBelow } from "../support/golden.ts";
import { program, type Run, run } from "../support/processes.ts";
import { generatedProject } from "../support/project.ts";

/** Runs `cms` with no more rights than those that files give: root has all, unless it does without. */
const cmsWithoutRights = (root: string, args: readonly string[]): Promise<Run> => {
  const cms = [process.execPath, program, ...args];
  const [file = "", ...words] = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override", ...cms] : cms;
  return run(file, words, { cwd: root });
};

/** Takes the right to write from a folder and all folders in it, until the end of the test. */
const protect = (folder: string): void => {
  const inside = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name));
  for (const each of [folder, ...inside].filter((name) => statSync(name).isDirectory())) {
    chmodSync(each, 0o555);
    onTestFinished(() => chmodSync(each, 0o755));
  }
};

const textsBelow = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(filesBelow(folder).map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));

/** Adds an attribute to the first content type of the project. */
const change = (root: string): void => {
  const folder = path.join(root, "content-types");
  const file = filesBelow(folder).find((name) => name.endsWith("schema.json")) ?? "";
  const schema = JSON.parse(readFileSync(path.join(folder, file), "utf8"));
  schema.attributes.added = { type: "string" };
  writeFileSync(path.join(folder, file), JSON.stringify(schema));
};

test("a project that may not be written can be generated where that changes nothing", async () => {
  const root = await generatedProject();
  await cmsOutput(root, ["generate"]);
  protect(root);
  const { code, stdout, stderr } = await cmsWithoutRights(root, ["generate", "--force"]);
  expect([code, stderr, stdout]).toEqual([0, "", expect.stringMatching(/\d+ unchanged/)]);
});

test("a project without a place to run its code says so", async () => {
  const root = await generatedProject();
  rmSync(path.join(root, ".cms"), { recursive: true, force: true });
  protect(root);
  const { code, stderr } = await cmsWithoutRights(root, ["generate", "--check"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error .*permission denied, mkdir '.*\.cms/);
});

test("nothing is written where not all of it can be", async () => {
  const root = await generatedProject();
  const generated = path.join(root, "generated");
  change(root);
  protect(path.join(generated, "migrations"));
  const before = textsBelow(generated);
  const { code, stderr } = await cmsWithoutRights(root, ["generate"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error .*permission denied, .*migrations/);
  expect(textsBelow(generated)).toEqual(before);
});
