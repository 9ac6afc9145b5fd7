import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledModules } from "../support/bundled-modules.ts";
import { cms, cmsOutput, cmsProcess, repository } from "../support/cms.ts";

const schema = {
  kind: "collectionType",
  collectionName: "notes",
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  attributes: { title: { type: "string" }, body: { type: "text" } },
};

const app = `import { defineApp } from "galley-cms";
import { word } from "../words.ts";
export default defineApp({
  register({ graphql }) {
    graphql.use({ typeDefs: \`extend type Query { \${word}: Int! }\`, resolvers: { Query: { [word]: () => 1 } } });
  },
});
`;

const root = mkdtempSync(path.join(tmpdir(), "galley-"));
const at = (name: string): string => path.join(root, name);
const put = (name: string, text: string): void => writeFileSync(at(name), text);
const edit = (name: string, from: string, to: string): void =>
  put(name, readFileSync(at(name), "utf8").replaceAll(from, to));
const generate = (): Promise<string> => cmsOutput(root, ["generate"]);

/** Runs until nothing changes, and until that is known. */
const settle = async (): Promise<void> => {
  await cmsOutput(root, ["generate", "--force"]);
  await generate();
};

beforeAll(async () => {
  await mkdir(at("content-types/note"), { recursive: true });
  put("content-types/note/schema.json", JSON.stringify(schema));
  put("content-types/app.ts", app);
  put("words.ts", 'export const word: string = "one";\n');
  await settle();
});

/** What a run says, and the modules that it loads. */
const logged = async () => {
  const log = at("loaded.txt");
  await writeFile(log, "");
  const hook = path.join(repository, "test/support/log-modules.mjs");
  const env = { NODE_OPTIONS: `--import ${hook}`, LOADED_MODULES: log };
  const { stdout } = await cmsProcess(root, ["generate", "--json"], env);
  const loaded = await readFile(log, "utf8");
  return { result: JSON.parse(stdout), loaded: `${loaded}\n${await bundledModules(loaded)}` };
};

/** What a whole run that changes nothing says, and what the next one says, which must load nothing that makes files. */
const runTwice = async () => {
  rmSync(at(".cms/cache/made"), { force: true });
  const { result: whole, loaded: before } = await logged();
  const { result: again, loaded } = await logged();
  return { whole, before, again, loaded };
};

test("a run that changes nothing makes no files to find that out, and says the same", async () => {
  const { whole, before, again, loaded } = await runTwice();
  expect(again).toEqual({ ...whole, milliseconds: expect.any(Number) });
  expect(before).toContain("/node_modules/handlebars/");
  expect(whole.files.length).toBeGreaterThan(5);
  expect(loaded).toContain("/dist/generator/cli.js");
  for (const needless of ["handlebars", "refa", "jsonc-parser", "@sindresorhus/slugify", "drizzle-orm"])
    expect(loaded).not.toContain(`/node_modules/${needless}/`);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What may differ from the last run, and what shows that it was noticed. */
const changes: readonly (readonly [what: string, change: () => void, seen: string | RegExp])[] = [
  [
    "an attribute",
    () => edit("content-types/note/schema.json", '"title"', '"extra":{"type":"string"},"title"'),
    "~ generated/note/table.ts",
  ],
  [
    "an extension",
    () =>
      put(
        "content-types/note/extension.ts",
        'import { defineExtension } from "galley-cms";\nexport default defineExtension<"api::note.note">({});\n',
      ),
    "~ generated/extensions.ts",
  ],
  ["an extension that is gone", () => rmSync(at("content-types/note/extension.ts")), "~ generated/extensions.ts"],
  ["a module that app.ts imports", () => put("words.ts", 'export const word = "two";\n'), "~ generated/schema.graphql"],
  ["the configuration", () => put("cms.config.ts", 'export default { rest: { prefix: "/v1" } };\n'), "openapi.json"],
  ["the configuration again", () => rmSync(at("cms.config.ts")), "~ generated/openapi.json"],
  ["a generated file that is gone", () => rmSync(at("generated/note/rest.ts")), "+ generated/note/rest.ts"],
  ["a record of the manifest", () => rmSync(at("generated/.manifest/note.json")), "+ generated/.manifest/note.json"],
  [
    "a file of the manifest that nobody has written",
    () => put("generated/.manifest/other.json", "{}"),
    "- generated/.manifest/other.json",
  ],
  [
    "the migrations",
    () => rmSync(at("generated/migrations"), { recursive: true }),
    /\+ generated\/migrations\/\d+_initial/,
  ],
  [
    "the snapshot of the newest migration",
    () => rmSync(at(`generated/migrations/${readdirSync(at("generated/migrations")).at(-1)}/snapshot.json`)),
    /\+ generated\/migrations\/\d+_initial/,
  ],
  ["a torn record", () => edit(".cms/cache/made", '"note/table.ts"', '"note/other.ts"'), /^generated: \d+ unch/],
  [
    "a record that was cut short",
    () => put(".cms/cache/made", readFileSync(at(".cms/cache/made"), "utf8").slice(0, -900)),
    /^generated: \d+ unch/,
  ],
  ["a record that is gone", () => rmSync(at(".cms/cache"), { recursive: true }), /^generated: \d+ unch/],
  [
    "a generated file that is gone, and another that its attribute changes",
    () => {
      rmSync(at("generated/note/rest.ts"));
      edit("content-types/note/schema.json", '"extra":{"type":"string"}', '"extra":{"type":"text"}');
    },
    /\+ generated\/note\/rest\.ts[^]*~ generated\/note\/table\.ts/,
  ],
];

test.each(changes)("a run notices %s", async (_what, change, seen) => {
  await settle();
  change();
  const { stdout, stderr, code } = await cms(root, ["generate"]);
  expect(`${code} ${stderr}`).toBe("0 ");
  expect(stdout).toMatch(seen);
});

test("of runs at once, one after the other writes", async () => {
  await settle();
  rmSync(at("generated"), { recursive: true });
  const runs = await Promise.all([1, 2, 3].map(() => cmsProcess(root, ["generate"])));
  expect(runs.map(({ stderr }) => stderr)).toEqual(["", "", ""]);
  expect(readdirSync(at("generated/migrations"))).toHaveLength(1);
  expect((await cms(root, ["generate", "--check"])).code).toBe(0);
});

test("--check knows nothing of earlier runs: it compares with migrations, and runs code that reads the environment", async () => {
  put("words.ts", 'export const word: string = process.env["WORD"] ?? "one";\n');
  rmSync(at("generated/migrations"), { recursive: true });
  await settle();
  const check = ["generate", "--check"];
  expect((await cms(root, check)).code).toBe(0);
  // Runs that write notice the environment as well.
  expect((await cmsProcess(root, ["generate"], { WORD: "three" })).stdout).toContain("~ generated/schema.graphql");
  await generate();
  expect((await cms(root, check)).code).toBe(0);
  expect(await cmsProcess(root, check, { WORD: "two" }).catch((error: unknown) => error)).toMatchObject({ code: 1 });
  const snapshot = at(`generated/migrations/${readdirSync(at("generated/migrations")).at(-1)}/snapshot.json`);
  const text = readFileSync(snapshot, "utf8");
  put(path.relative(root, snapshot), text.replaceAll('"title"', '"titel"'));
  const { stdout, code } = await cms(root, check);
  expect([code, stdout]).toEqual([1, expect.stringContaining("generated/migrations: ")]);
  put(path.relative(root, snapshot), text);
});

test("a run after one that has written knows that there is nothing to do, and what was edited by hand since", async () => {
  await settle();
  edit("content-types/note/schema.json", '"body":', '"later":{"type":"string"},"body":');
  const { result: first } = await logged();
  expect(first.files).toContainEqual({ path: "note/table.ts", action: "update" });
  const { result: second, loaded } = await logged();
  expect(second.files.filter(({ action }: { action: string }) => action !== "keep")).toEqual([]);
  expect(loaded).not.toContain("/node_modules/handlebars/");
  expect((await cms(root, ["generate", "--check"])).code).toBe(0);
  edit("generated/note/document.ts", "later", "latter");
  const { code, stderr } = await cms(root, ["generate"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("generated/note/document.ts")]);
});

test("a run after one that changed nothing refuses what was edited by hand, and --check reports it", async () => {
  await settle();
  edit("generated/note/table.ts", "export", "// mine\nexport");
  expect((await cms(root, ["generate", "--check"])).code).toBe(1);
  const { code, stderr } = await cms(root, ["generate"]);
  expect(code).toBe(2);
  expect(stderr).toContain("generated/note/table.ts");
});

test("a run after one that changed nothing finishes what was interrupted", async () => {
  await settle();
  const table = readFileSync(at("generated/note/table.ts"), "utf8");
  await mkdir(at("generated/.pending/files"), { recursive: true });
  put("generated/.pending/files/0", "// newer\n");
  put("generated/.pending/journal.json", JSON.stringify({ move: ["note/table.ts"], delete: [] }));
  // What is there then is not what was generated, and nobody knows it.
  expect((await cms(root, ["generate"])).code).toBe(2);
  expect(readdirSync(at("generated"))).not.toContain(".pending");
  put("generated/note/table.ts", table);
  await generate();
});

test("a run that changes nothing warns of what was warned of, and of what is new", async () => {
  const editor = '"editor":{"type":"customField","customField":"plugin::ckeditor5.CKEditor"}';
  edit("content-types/note/schema.json", '"body":', `${editor},"body":`);
  await settle();
  const { whole, again, loaded } = await runTwice();
  expect(whole.diagnostics).toEqual([expect.objectContaining({ severity: "warning", line: expect.any(Number) })]);
  expect(again).toEqual({ ...whole, milliseconds: expect.any(Number) });
  expect(loaded).not.toContain("/node_modules/handlebars/");
  await mkdir(at("content-types/api/thing/controllers"), { recursive: true });
  put("content-types/api/thing/controllers/thing.ts", "export default { find: () => 1 };\n");
  const { diagnostics } = JSON.parse(await cmsOutput(root, ["generate", "--json"]));
  expect(diagnostics).toHaveLength(whole.diagnostics.length + 1);
});

/** In a process of its own, whose variables are not set by the run before. */
const run = async (): Promise<string> => (await cmsProcess(root, ["generate"])).stdout;

test("a run notices what was saved while the one before it ran, another version of a package, and code that sets variables", async () => {
  await settle();
  await mkdir(at("node_modules/phrases"), { recursive: true });
  const install = (version: string) => {
    put(
      "node_modules/phrases/package.json",
      JSON.stringify({ name: "phrases", version, type: "module", exports: "./phrase.js" }),
    );
    put("node_modules/phrases/phrase.js", `export const phrase = "v${version[0]}";\n`);
  };
  install("1.0.0");
  put("package.json", JSON.stringify({ dependencies: { phrases: "*" } }));
  put("words.ts", 'export const word: string = "saved";\n');
  put("saving", "");
  // It is saved after it was read, as by an editor.
  const saving = `import { existsSync, rmSync, writeFileSync } from "node:fs";
    import { phrase } from "phrases";
    process.env["SET_BY_CODE"] = String(Number(process.env["SET_BY_CODE"] ?? 0) + 1);
    if (existsSync(${JSON.stringify(at("saving"))})) {
      rmSync(${JSON.stringify(at("saving"))});
      writeFileSync(${JSON.stringify(at("words.ts"))}, 'export const word: string = "later";');
    }\n`;
  put(
    "content-types/app.ts",
    saving +
      app
        .replace("{ word } from", "{ word as said } from")
        .replace("export default", "const word = `${said}_${phrase}`;\nexport default"),
  );
  const words = () => /(?:saved|later)_v\d/.exec(readFileSync(at("generated/schema.graphql"), "utf8"))?.[0];
  await run();
  expect(words()).toBe("saved_v1");
  await run();
  expect(words()).toBe("later_v1");
  await run();
  expect(await run()).not.toContain("~");
  expect(readFileSync(at(".cms/cache/made"), "utf8")).toContain('"run":');
  install("2.0.0");
  await run();
  expect(words()).toBe("later_v2");
});
