import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cms, cmsOutput, cmsProcess, serve } from "../support/cms.ts";
import { bothDatabases } from "../support/database.ts";
import { migratedProject, projectOnServer } from "../support/project.ts";

const seedOf = (body: string): string => `import { defineSeed } from "galley-cms";

export default defineSeed(async ({ document, file }) => {
  void [document, file];
  ${body}
});
`;

const ARTICLE = 'await document("api::article.article", { key: "slug", data: { title: "Hello", slug: "hello" } });';
const FILE = 'await file("pictures/dot.svg");';
const EXTENSION = `export default { hooks: { beforeCreate() { throw new Error("not today"); } } };\n`;
const RULE = `import { defineExtension } from "galley-cms";

export default defineExtension<"api::article.article">({
  validators: {
    publish: (schema) => schema.refine(({ title }) => title !== "Shouting", { path: ["title"], error: "titles do not shout" }),
  },
});
`;
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n';

test("a seed that fails says where and why, begins anew when it is told to, and loses nothing else", async () => {
  const root = await projectOnServer();
  const folder = path.join(root, "content-types/seed");
  await mkdir(path.join(folder, "pictures"), { recursive: true });
  await writeFile(path.join(folder, "pictures/dot.svg"), PICTURE);
  const refused: readonly (readonly [body: string, message: string | RegExp])[] = [
    [
      'throw new TypeError("no content today");',
      /content-types\/seed\/index\.ts has failed: TypeError: no content today\n.*index\.ts:5:\d+/,
    ],
    ['await file("pictures/none.png");', /pictures\/none\.png: \S*content-types\/seed\/pictures\/none\.png is missing/],
    [
      'await document("api::article.artikel" as never, { key: "slug", data: {} } as never);',
      'there is no content type of that uid. Did you mean "api::article.article"?',
    ],
    [
      ARTICLE.replace('"Hello"', '"x".repeat(256)'),
      /api::article\.article "hello": .*title must be at most 120 characters/,
    ],
    [ARTICLE.replace('"Hello"', "7 as never"), /api::article\.article "hello": .*title must be a `string` type/],
    [
      ARTICLE.replace('title: "Hello", ', ""),
      /api::article\.article "hello": .*title must be a `string` type, but the final value was: `null`/,
    ],
    [ARTICLE.replace("Hello", "Shouting"), /api::article\.article "hello": .*titles do not shout/],
  ];
  const extension = path.join(root, "content-types/article/extension.ts");
  await writeFile(extension, RULE);
  await cmsOutput(root, ["generate"]);
  for (const [body, message] of refused) {
    await writeFile(path.join(folder, "index.ts"), seedOf(body));
    const { code, stderr } = await cms(root, ["seed"]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("fault of galley-cms");
    expect(code).toBe(2);
  }

  await writeFile(extension, EXTENSION);
  await writeFile(path.join(folder, "index.ts"), seedOf(`${FILE}\n  ${ARTICLE}`));
  const failed = await cms(root, ["seed"]);
  expect(failed).toMatchObject({ code: 2, stdout: "" });
  expect(failed.stderr).toMatch(/api::article\.article "hello": Error: not today\n.*article\/extension\.ts:\d+:\d+/);
  expect(failed.stderr).toContain("\nWhat was created before stays (1): the next run continues after it.\n");
  await writeFile(extension, "export default {};\n");
  expect(await cmsOutput(root, ["seed", "--reset", "--allow-loss"])).toBe(
    "seed: 0 documents and 1 file deleted\nseed: 2 created, 0 there before",
  );
  await cmsOutput(root, ["token", "create", "--name", "mine"]);
  const lost = await cms(root, ["seed", "--reset"]);
  expect(lost.code).toBe(2);
  expect(lost.stderr).toContain(
    "this deletes; nothing was changed:\n  1 document\n  1 file\nto allow it: --allow-loss",
  );
  const production = await cms(root, ["seed", "--reset", "--allow-loss"], {
    NODE_ENV: "production",
    JWT_SECRET: "a secret for this test only, long enough",
    API_TOKEN_SALT: "a salt for this test only",
  });
  expect(production.stderr).toContain("NODE_ENV is production");
  expect(await cmsOutput(root, ["seed"])).toBe("seed: 0 created, 2 there before");
  expect(await cmsOutput(root, ["seed", "--reset", "--allow-loss"])).toBe(
    "seed: 1 document and 1 file deleted\nseed: 2 created, 0 there before",
  );
  expect(await cmsOutput(root, ["token", "list"])).toContain("mine");
});

/** Notes when it begins and ends. */
const NOTED = `import { appendFileSync } from "node:fs";
import { defineSeed } from "galley-cms";

export default defineSeed(async ({ document }) => {
  appendFileSync("noted.txt", "begin ");
  for (const slug of ["a", "b", "c"]) await document("api::article.article", { key: "title", data: { title: slug, slug } });
  appendFileSync("noted.txt", "end ");
});
`;

test.each(bothDatabases)("seeds that are run at once run one after the other beside a server, on %s", async (kind) => {
  const root = await (kind === "postgres" ? projectOnServer() : migratedProject());
  await mkdir(path.join(root, "content-types/seed"));
  await writeFile(path.join(root, "content-types/seed/index.ts"), NOTED);
  await serve(root);
  const runs = await Promise.all([1, 2, 3].map(() => cmsProcess(root, ["seed"])));
  expect(await readFile(path.join(root, "noted.txt"), "utf8")).toBe("begin end ".repeat(3));
  expect(runs.map(({ code, stdout, stderr }) => [code, stdout, stderr]).toSorted()).toEqual([
    [0, "seed: 0 created, 3 there before\n", ""],
    [0, "seed: 0 created, 3 there before\n", ""],
    [0, "seed: 3 created, 0 there before\n", ""],
  ]);
});
