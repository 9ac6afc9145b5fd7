import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import picocolors from "picocolors";
import { expect, test } from "vitest";
import { problems } from "../../generator/diagnostics/codes.ts";
import { diagnose, keyAt, type Place, valueAt } from "../../generator/diagnostics/diagnostic.ts";
import { locate } from "../../generator/diagnostics/positions.ts";
import { diagnosticsToJson, printDiagnostics } from "../../generator/diagnostics/print.ts";
import { findSyntaxFault } from "../../generator/diagnostics/syntax-fault.ts";
import { loadSchemas } from "../../generator/schema/load.ts";
import { cms, emptyFolder } from "../support/cms.ts";

const report = (place: Place, suggestion?: string) =>
  diagnose(problems.unknownKey, place, { key: "x", owner: "this" }, { suggestion });

const at = (text: string, place: Place) => locate([report(place)], () => text)[0]?.position;

test("positions are those of the value or key, or of the nearest thing around it", async () => {
  const text = '{\r\n\t"a": { "b": [true, "two"] },\r\n\t"c\\u0020d": 1\r\n}\r\n';
  expect(await at(text, valueAt("f", "a", "b", 1))).toEqual({ line: 2, column: 21, width: 5 });
  expect(await at(text, keyAt("f", "a", "b"))).toEqual({ line: 2, column: 9, width: 3 });
  expect(await at(text, valueAt("f", "a", "b", 7))).toEqual({ line: 2, column: 9, width: 3 });
  expect(await at(text, valueAt("f", "c d"))).toEqual({ line: 3, column: 14, width: 1 });
  expect(await at(text, valueAt("f", "missing"))).toEqual({ line: 1, column: 1, width: 1 });
});

test("diagnostics are sorted by file and position, and duplicates of a key point at the last one", async () => {
  const texts = new Map([
    ["b", '{ "x": 1, "y": 2, "x": 3 }'],
    ["a", '{ "z": 1 }'],
  ]);
  const places = [valueAt("b", "y"), valueAt("b", "x"), valueAt("a", "z")];
  const located = locate(
    places.map((place) => report(place)),
    (file) => texts.get(file),
  );
  expect(located.map(({ place, position }) => [place.file, position?.column])).toEqual([
    ["a", 8],
    ["b", 16],
    ["b", 24],
  ]);
});

test.each([
  ['{ "a" 1 }', 6, "':' expected"],
  ['{ "a": 1, }', 10, "trailing commas are not part of JSON"],
  ["[1, ]", 4, "trailing commas are not part of JSON"],
  ['{ "a": /* one */ 1 }', 7, "comments are not part of JSON"],
  ["{ 'a': 1 }", 2, "unknown word: strings and keys stand in double quotes"],
  ['{ "a": 1 "b": 2 }', 9, "',' expected"],
  ['{ "a": "b\nc" }', 7, "the string does not end on its line"],
  ['{ "a": 01 }', 8, "',' expected"],
  ['{ "a": 1', 8, "'}' expected"],
  ["{}{}", 2, "the value has ended before this"],
  ['{ "a": "\\x" }', 7, "no such escape in strings of JSON"],
  ['{ "a":\u00a01 }', 6, "unknown word: strings and keys stand in double quotes"],
  ["", 0, "the file is empty"],
])("the fault of %j is found", (text, start, detail) => {
  const thrown = ((): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      return error;
    }
  })();
  if (!(thrown instanceof Error)) throw new Error("that was JSON");
  expect(findSyntaxFault(text, thrown)).toMatchObject({ start, detail });
});

test("colours change nothing but colours", async () => {
  const located = locate([report(valueAt("f", "a"), "y")], () => '{ "a": "long text" }');
  const coloured = printDiagnostics(located, picocolors.createColors(true));
  expect(coloured).toContain("\u001B[");
  expect(stripVTControlCharacters(coloured)).toBe(printDiagnostics(located));
});

test("control characters of a broken file do not reach the terminal", async () => {
  const located = locate([report(valueAt("f", "a"))], () => '{ "a": 1 \u001B[2J }');
  expect(printDiagnostics(located)).not.toContain("\u001B");
});

test("programs get diagnostics as data", async () => {
  const located = locate([report(keyAt("f", "a"), "y")], () => '{ "a": 1 }');
  expect(diagnosticsToJson(located)).toEqual([
    {
      code: "CMS1009",
      severity: "warning",
      message: 'this has no option "x": it is ignored',
      file: "f",
      line: 1,
      column: 3,
      width: 3,
      suggestion: "y",
    },
  ]);
});

const schema = (name: string, attributes: unknown): string =>
  JSON.stringify({ info: { singularName: name, pluralName: `${name}s`, displayName: name }, attributes });

const write = async (root: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
};

test("both layouts of a project are found, from its folder or its source folder", async () => {
  const root = await emptyFolder();
  const article = schema("article", { title: { type: "string" } });
  const seo = JSON.stringify({ info: { displayName: "SEO" }, attributes: { title: { type: "string" } } });
  await write(root, {
    "content-types/article/schema.json": `\u{FEFF}${article}`,
    "content-types/article/extension.ts": "",
    "content-types/users-permissions/user/schema.json": schema("user", { nickname: { type: "string" } }),
    "content-types/components/shared/seo.json": seo,
    "old/src/api/blog/content-types/article/schema.json": article,
    // There the folder may be called otherwise than the type.
    "old/src/api/blog/content-types/writings/schema.json": schema("writing", { title: { type: "string" } }),
    "old/src/extensions/users-permissions/content-types/user/schema.json": schema("user", {}),
    "old/src/components/shared/seo.json": seo,
  });
  const uids = (from: string) => {
    const { files, diagnostics } = loadSchemas({ root, from });
    expect(diagnostics).toEqual([]);
    return files.map(({ uid }) => uid).toSorted();
  };
  expect(uids("content-types")).toEqual(["api::article.article", "plugin::users-permissions.user", "shared.seo"]);
  const strapi = ["api::blog.article", "api::blog.writings", "plugin::users-permissions.user", "shared.seo"];
  expect(uids("old")).toEqual(strapi);
  expect(uids("old/src")).toEqual(strapi);
  expect(uids(path.join(root, "old/src"))).toEqual(strapi);
  const { files } = loadSchemas({ root, from: "content-types" });
  expect(files.find(({ uid }) => uid === "api::article.article")).toMatchObject({
    file: "content-types/article/schema.json",
    extension: "content-types/article/extension.ts",
  });
});

test("keys of admin panels and leftovers of tools are passed over in silence", async () => {
  const root = await emptyFolder();
  const { info, attributes } = {
    info: { singularName: "tag", pluralName: "tags", displayName: "Tag", icon: "x", description: "", name: "tag" },
    attributes: {
      name: { type: "string", configurable: false, visible: true, pluginOptions: { other: { x: 1 } }, required: null },
      seo: { type: "component", component: "shared.seo", displayName: "SEO" },
    },
  };
  await write(root, {
    "content-types/tag/schema.json": JSON.stringify({
      $schema: "../../node_modules/galley-cms/dist/schemas/content-type.json",
      kind: "collectionType",
      collectionName: "tags",
      info,
      options: { increments: true, timestamps: true, comment: "", reviewWorkflows: false },
      pluginOptions: { "content-manager": { visible: false }, versions: { versioned: true } },
      config: { layouts: {} },
      __filename__: "tag.json",
      attributes,
    }),
    "content-types/components/shared/seo.json": JSON.stringify({
      $schema: "../../../node_modules/galley-cms/dist/schemas/component.json",
      collectionName: "components_shared_seos",
      connection: "default",
      info: { displayName: "SEO", icon: "x" },
      options: {},
      attributes: { title: { type: "string" } },
    }),
  });
  expect(loadSchemas({ root, from: "content-types" }).diagnostics).toEqual([]);
});

test("faulty schema files are explained without the syntax tree library", async () => {
  const root = await emptyFolder();
  const modules = path.join(root, "modules.txt");
  const hook = new URL("../support/log-modules.mjs", import.meta.url).href;
  const env = { NODE_OPTIONS: `--import ${hook}`, LOADED_MODULES: modules };
  await write(root, { "content-types/tag/schema.json": schema("tag", { name: { type: "string" } }) });
  expect(await cms(root, ["generate", "--print-model"], env)).toMatchObject({ code: 0, stderr: "" });
  await write(root, { "content-types/tag/schema.json": schema("tag", { name: { type: "strng" } }) });
  expect((await cms(root, ["generate"], env)).code).toBe(2);
  await write(root, { "content-types/tag/schema.json": "{" });
  expect((await cms(root, ["generate"], env)).code).toBe(2);
  const loaded = await readFile(modules, "utf8");
  expect(loaded).toContain("jsonc-parser");
  expect(loaded).not.toContain("ts-morph");
});
