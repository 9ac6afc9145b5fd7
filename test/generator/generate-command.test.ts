import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { cms, cmsOutput, emptyFolder } from "../support/cms.ts";
import { filesBelow, goldenFolder } from "../support/golden.ts";

/** A project with the content types of a golden case, generated. */
const project = async (name = "media"): Promise<string> => {
  const folder = await emptyFolder();
  cpSync(path.join(goldenFolder(name), "content-types"), path.join(folder, "content-types"), { recursive: true });
  await cmsOutput(folder, ["generate"]);
  return folder;
};

const tableOf = (folder: string): string => path.join(folder, "generated", "gallery", "table.ts");
const schemaOf = (folder: string): string => path.join(folder, "content-types", "gallery", "schema.json");

const contentsOf = (folder: string): readonly string[] =>
  filesBelow(folder).map((name) => `${name}\n${readFileSync(path.join(folder, name), "utf8")}`);

/** Changes the text of a file. */
const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, "utf8")));

const addAttribute = (file: string): void =>
  edit(file, (text) => text.replace('"attributes": {', '"attributes": { "subtitle": { "type": "string" },'));

test("what is generated passes the check", async () => {
  const folder = await project();
  expect(await cms(folder, ["generate", "--check"])).toMatchObject({ code: 0 });
});

test("generate writes nothing outside of generated and .cms", async () => {
  const folder = await project("extensions");
  const elsewhere = (): readonly string[] => contentsOf(folder).filter((text) => !/^(?:generated|\.cms)\//.test(text));
  const before = elsewhere();
  expect(before.length).toBeGreaterThan(2);
  edit(path.join(folder, "content-types/event/schema.json"), (text) =>
    text.replace('"attributes": {', '"attributes": { "subtitle": { "type": "string" },'),
  );
  const changed = elsewhere();
  expect(await cms(folder, ["generate"])).toMatchObject({ code: 0 });
  expect(elsewhere()).toEqual(changed);
});

test("a file edited by hand is refused by name, and stays as it is", async () => {
  const folder = await project();
  edit(tableOf(folder), (text) => `${text}// mine\n`);
  addAttribute(schemaOf(folder));
  const before = contentsOf(path.join(folder, "generated"));
  const { code, stderr } = await cms(folder, ["generate"]);
  expect(code).toBe(2);
  expect(stderr).toContain("generated/gallery/table.ts");
  expect(stderr).toContain("extension.ts");
  expect(contentsOf(path.join(folder, "generated"))).toEqual(before);
});

test("--force overwrites a file edited by hand", async () => {
  const folder = await project();
  const before = readFileSync(tableOf(folder), "utf8");
  edit(tableOf(folder), (text) => `${text}// mine\n`);
  expect(await cms(folder, ["generate", "--force"])).toMatchObject({ code: 0 });
  expect(readFileSync(tableOf(folder), "utf8")).toBe(before);
});

test("--check reports changed files with diffs, and writes nothing", async () => {
  const folder = await project();
  addAttribute(schemaOf(folder));
  const before = readFileSync(tableOf(folder), "utf8");
  const { code, stdout } = await cms(folder, ["generate", "--check"]);
  expect(code).toBe(1);
  expect(stdout).toContain("generated/gallery/table.ts: changed");
  expect(stdout).toContain('+    subtitle: varchar("subtitle", { length: 255 }),');
  expect(stdout).toMatch(/run "cms generate" and commit the result/);
  expect(readFileSync(tableOf(folder), "utf8")).toBe(before);
});

test("--check tells missing, stale and edited files apart", async () => {
  const folder = await project();
  rmSync(path.join(folder, "generated", "gallery", "rest.ts"));
  edit(tableOf(folder), (text) => `${text}// mine\n`);
  rmSync(path.join(folder, "content-types", "components"), { recursive: true });
  edit(schemaOf(folder), (text) =>
    text.replace('"component": "gallery.frame"', '"multiple": true').replace('"type": "component"', '"type": "media"'),
  );
  const { code, stdout } = await cms(folder, ["generate", "--check"]);
  expect(code).toBe(1);
  expect(stdout).toContain("generated/gallery/rest.ts: missing");
  expect(stdout).toContain("generated/gallery/table.ts: edited by hand");
  expect(stdout).toContain("generated/components/gallery/frame.ts: stale");
  expect(stdout).toMatch(/^generated: 1 missing, \d+ changed, \d+ stale, \d+ as generated \(/m);
});

test("a snapshot that a merge has broken is named, and nothing is written", async () => {
  const folder = await project();
  const [name = ""] = readdirSync(path.join(folder, "generated", "migrations"));
  addAttribute(schemaOf(folder));
  edit(path.join(folder, "generated", "migrations", name, "snapshot.json"), (text) => `<<<<<<< HEAD\n${text}`);
  const before = contentsOf(path.join(folder, "generated"));
  const { code, stderr } = await cms(folder, ["generate"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/error .*snapshot\.json cannot be read: /);
  expect(contentsOf(path.join(folder, "generated"))).toEqual(before);
});

test("components that hold others twice, at 24 levels, make no more of each than there are", async () => {
  const folder = await project();
  const info = { displayName: "Level" };
  for (let level = 0; level < 24; level += 1) {
    const inner = { type: "component", component: `deep.level${level + 1}` };
    const attributes =
      level === 23 ? { title: { type: "string" } } : { one: inner, list: { ...inner, repeatable: true } };
    const file = path.join(folder, `content-types/components/deep/level${level}.json`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ info, attributes }));
  }
  const deep = '"attributes": { "deep": { "type": "component", "component": "deep.level0" },';
  edit(schemaOf(folder), (text) => text.replace('"attributes": {', deep));
  rmSync(path.join(folder, "generated"), { recursive: true });
  await cmsOutput(folder, ["generate"]);
  const openapi = readFileSync(path.join(folder, "generated/openapi.json"), "utf8");
  expect(openapi.match(/schemas\/DeepLevel23Input"/g)).toHaveLength(2);
});

test("--json prints the result for programs", async () => {
  const folder = await project();
  addAttribute(schemaOf(folder));
  const { code, stdout } = await cms(folder, ["generate", "--check", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    exitCode: 1,
    diagnostics: [],
    files: expect.arrayContaining([{ path: "gallery/table.ts", action: "update" }]),
  });
});

test("--print-model prints the model and writes nothing", async () => {
  const folder = await project();
  addAttribute(schemaOf(folder));
  const before = readFileSync(tableOf(folder), "utf8");
  const model: unknown = JSON.parse(await cmsOutput(folder, ["generate", "--print-model"]));
  expect(model).toMatchObject({ contentTypes: [{ uid: "api::gallery.gallery" }, {}, {}] });
  expect(readFileSync(tableOf(folder), "utf8")).toBe(before);
});

test("schema errors end with 2, and nothing is written", async () => {
  const folder = await project();
  const before = filesBelow(path.join(folder, "generated"));
  edit(schemaOf(folder), (text) => text.replace('"type": "media"', '"type": "medium"'));
  const { code, stderr } = await cms(folder, ["generate"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/content-types\/gallery\/schema\.json:\d+:\d+ - error CMS\d{4}: /);
  expect(filesBelow(path.join(folder, "generated"))).toEqual(before);
});

test("an unknown option ends with 2 and a suggestion", async () => {
  const { code, stderr } = await cms(await emptyFolder(), ["generate", "--chekc"]);
  expect(code).toBe(2);
  expect(stderr).toContain("--check");
});

test("--help of a command describes its options", async () => {
  const { code, stdout } = await cms(await emptyFolder(), ["generate", "--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain("--print-model");
});
