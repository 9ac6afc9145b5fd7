/** `cms build`: what it writes runs with node alone, wherever it is put. */
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { cms, cmsOutput, emptyFolder, type Run, run, serve } from "../support/cms.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { installPacked } from "../support/packed.ts";

const SECRETS = { JWT_SECRET: "a secret of a test, long enough", API_TOKEN_SALT: "a salt of a test, long enough" };

/** Packages that only generating needs. */
const GENERATING = new Set([
  "esbuild",
  "ts-morph",
  "handlebars",
  "chokidar",
  "jsonc-parser",
  "typescript",
  "drizzle-kit",
]);

/** A project whose code imports two packages of its own: one that is code alone, and one that reads a file. */
const EXTENSION = `import { defineExtension } from "galley-cms";
import { z } from "zod";
import { greeting } from "greeting";
import { word } from "reader";
import { everyone } from "galley-cms/rest";

export default defineExtension<"api::article.article">({
  routes(router) {
    router.get("/greeting", everyone(), (c) => c.json(z.object({ text: z.string() }).parse({ text: greeting(word()) })));
  },
  hooks: { beforeCreate: ({ data }) => ({ ...data, title: data.title?.trim() ?? null }) },
});
`;

const CONFIG = `import { defineConfig } from "galley-cms";
import { greeting } from "greeting";

export default defineConfig({
  rest: { prefix: \`/\${greeting("content").split(" ")[1]}\` },
  permissions: { public: ["api::article.article.find"] },
});
`;

const addPackage = async (root: string, name: string, files: Readonly<Record<string, string>>): Promise<void> => {
  const folder = path.join(root, "node_modules", name);
  await mkdir(folder, { recursive: true });
  const manifest = JSON.stringify({ name, version: "1.0.0", type: "module", main: "index.js" });
  for (const [file, text] of Object.entries({ "package.json": manifest, ...files })) {
    await writeFile(path.join(folder, file), text);
  }
};

/** Made once: each test works on a copy. */
const template = await mkdtemp(path.join(tmpdir(), "galley-"));
afterAll(() => rm(template, { recursive: true }));

/** What the build printed. */
let said = "";

beforeAll(async () => {
  const root = template;
  await installPacked(root);
  await cmsOutput(root, ["init"]);
  await addPackage(root, "greeting", { "index.js": "export const greeting = (name) => `hello ${name}`;\n" });
  await addPackage(root, "reader", {
    "index.js":
      'import { readFileSync } from "node:fs";\nexport const word = () => readFileSync(new URL("word.txt", import.meta.url), "utf8").trim();\n',
    "word.txt": "reader\n",
  });
  await writeFile(path.join(root, "content-types/article/extension.ts"), EXTENSION);
  await writeFile(path.join(root, "cms.config.ts"), CONFIG);
  await cmsOutput(root, ["generate"]);
  said = await cmsOutput(root, ["build", "--embedded", "--copy", "reader"]);
});

const project = async (): Promise<string> => {
  const root = await emptyFolder();
  await cp(template, root, { recursive: true, verbatimSymlinks: true });
  return root;
};

/** The build alone, outside of its project. */
const builtElsewhere = async (): Promise<string> => {
  const folder = await emptyFolder();
  await cp(path.join(template, "build"), folder, { recursive: true, verbatimSymlinks: true });
  return folder;
};

const operate = (folder: string, env: Readonly<Record<string, string>>, ...args: string[]): Promise<Run> =>
  run(process.execPath, ["cms.mjs", ...args], { cwd: folder, env: { ...SECRETS, ...env } });

const operated = async (folder: string, env: Readonly<Record<string, string>>, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await operate(folder, env, ...args);
  expect(code, stdout + stderr).toBe(0);
  return stdout.trim();
};

test("a build migrates and serves with node alone, far from the project", async () => {
  const folder = await builtElsewhere();
  const env = { ...SECRETS, DATABASE_URL: await freshPostgresUrl((work) => onTestFinished(work)) };

  expect(await operated(folder, env, "migrate")).toContain("1 applied");
  expect((await operate(folder, env, "migrate", "status")).code).toBe(0);
  await operated(folder, env, "permissions", "apply");
  const token = await operated(folder, env, "token", "create", "--name", "test", "--type", "full-access");
  const { url, stop } = await serve(folder, env, { program: path.join(folder, "cms.mjs") });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = async (address: string, body: object): Promise<unknown> =>
    (await fetch(url + address, { method: "POST", headers, body: JSON.stringify(body) })).json();

  expect(await post("/content/articles", { data: { title: " Hello " } })).toMatchObject({ data: { title: "Hello" } });
  expect(await (await fetch(`${url}/content/articles`)).json()).toMatchObject({ data: [{ title: "Hello" }] });
  expect(await post("/graphql", { query: "{ articles { data { attributes { title } } } }" })).toEqual({
    data: { articles: { data: [{ attributes: { title: "Hello" } }] } },
  });
  expect(await (await fetch(`${url}/content/greeting`)).json()).toEqual({ text: "hello reader" });
  expect(await stop()).toBe(0);
  // The folder may be one that the server cannot write to.
  expect(await readdir(folder)).not.toContain(".cms");

  const copied = await readdir(path.join(folder, "node_modules"));
  expect(copied).toEqual(expect.arrayContaining(["bcrypt", "reader"]));
  expect(copied.filter((name) => GENERATING.has(name))).toEqual([]);
  const bundled = [...(await readFile(path.join(folder, "licenses.txt"), "utf8")).matchAll(/^(\S+) \d+\.\d+\.\S+$/gm)];
  const names = bundled.map(([, name]) => name ?? "");
  expect(names).toEqual(expect.arrayContaining(["hono", "drizzle-orm", "graphql", "greeting"]));
  expect(names.filter((name) => GENERATING.has(name))).toEqual([]);
  expect(said).toMatch(/^built build: \d+\.\d MB, \d+ packages$/m);
  expect(said).toContain("reader 1.0.0");
});

test("production is assumed, in which the embedded database has to be asked for", async () => {
  const folder = await builtElsewhere();
  const refused = await operate(folder, {}, "migrate");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("DATABASE_URL is not set") });
  expect(await operated(folder, { DATABASE_EMBEDDED: "true" }, "migrate")).toContain("1 applied");
});

test("a second build replaces the first, and leaves alone what was stored beside it", async () => {
  const root = await project();
  const folder = path.join(root, "build");
  await mkdir(path.join(folder, ".cms"));
  await writeFile(path.join(folder, ".cms/kept"), "content");
  await writeFile(path.join(folder, "chunks/old.mjs"), "");
  await cmsOutput(root, ["build", "--copy", "reader"]);
  expect(await readFile(path.join(folder, ".cms/kept"), "utf8")).toBe("content");
  expect(existsSync(path.join(folder, "chunks/old.mjs"))).toBe(false);
  // Not without being asked for; and the project's own packages are not to be found from here.
  expect(existsSync(path.join(folder, "node_modules/@electric-sql"))).toBe(false);
  await rm(path.join(root, "node_modules"), { recursive: true });
  const { code, stderr } = await operate(folder, { DATABASE_EMBEDDED: "true" }, "migrate");
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("cms build --embedded") });
});

const appWithRule = (field: string): string => `import { defineApp } from "galley-cms";
export default defineApp({ register: ({ graphql }) => { graphql.use({ resolversConfig: { "${field}": {} } }); } });
`;

test("a build that cannot be is refused with its reason, and changes nothing", async () => {
  const root = await project();
  await rm(path.join(root, "build"), { recursive: true });
  const other = await cms(root, ["build", "--copy", "reader", "--out", "content-types"]);
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("is not empty, and no build is in it") });
  expect(existsSync(path.join(root, "content-types/article/schema.json"))).toBe(true);

  await writeFile(path.join(root, "content-types/app.ts"), appWithRule("Query.articles"));
  await cmsOutput(root, ["generate"]);
  await writeFile(path.join(root, "content-types/app.ts"), appWithRule("Query.artcles"));
  const misnamed = await cms(root, ["build", "--copy", "reader"]);
  expect(misnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "Query.articles"?') });
  expect(existsSync(path.join(root, "build"))).toBe(false);

  await writeFile(path.join(root, "content-types/article/extension.ts"), 'import { none } from "nowhere";\nnone();\n');
  const broken = await cms(root, ["build"]);
  expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining("content-types/article/extension.ts:1:21") });
  expect(existsSync(path.join(root, "build"))).toBe(false);

  await rm(path.join(root, "generated"), { recursive: true });
  const early = await cms(root, ["build"]);
  expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining("run `cms generate` first") });
});
