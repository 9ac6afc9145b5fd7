/** Every block of the documentation is checked: what a page shows of files, answers and output is what a project gets. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { buildSchema, parse, validate } from "graphql";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { cms, repository } from "./support/cms.ts";
import { allBlocks, type Block, blocksOf, COMPILED, docPages } from "./support/doc-blocks.ts";
import { exampleApp, exampleDatabase } from "./support/example-app.ts";
import { schema } from "./support/migration-lab.ts";
import { migrationProject } from "./support/migration-project.ts";
import { renderProject, sdlOf } from "./support/render-project.ts";

const COMMANDS: ReadonlySet<string> = new Set(["sh", "console"]);

/** How many blocks of which languages tests of their own look at, besides commands and what is compiled. */
const ELSEWHERE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // Neither Docker nor pg_dump is there for tests; test/runtime/events/joining.test.ts sends the statement by itself.
  "run/backup.md": { bash: 4 },
  // test/generator/readme-code.test.ts
  "../README.md": { json: 1, ts: 4 },
  // test/e2e/dev.test.ts has the output with a request and its fault.
  "reference/cli.md": { "": 1 },
  // test/e2e/clients-page.test.ts
  "build/clients.md": { ts: 14 },
  // test/e2e/container.test.ts
  "run/deployment.md": { "": 1, bash: 2, dockerfile: 1, ini: 1, yaml: 1 },
  // test/runtime/database/tls.test.ts connects with such addresses.
  "run/database-tls.md": { "": 1 },
  // test/e2e/docs.test.ts
  "learn/getting-started.md": { json: 2, svg: 1, ts: 3 },
  "learn/real-site.md": { js: 2, json: 5, svg: 1, ts: 2 },
  // test/runtime/telemetry/request-log.test.ts; the SDK is too large for tests.
  // The lines of an outage: test/runtime/readiness.test.ts, test/runtime/events/processes.test.ts
  "run/operations.md": { js: 1, json: 1, text: 1 },
  // test/runtime/cursors.test.ts
  "build/first-users.md": { ts: 1 },
  "build/own-endpoint.md": { ts: 1 },
  // test/panel/extensions.test.ts
  "build/panel-extensions.md": { tsx: 1 },
  "build/rest-query.md": { http: 1 },
  // test/e2e/events.test.ts, test/runtime/sharing/share-links.test.ts
  "build/live-preview.md": { http: 1, js: 2 },
  // test/runtime/events/stream.test.ts
  "run/events.md": { graphql: 1, text: 1 },
  // test/runtime/history/versions.test.ts asks for such answers.
  "build/history.md": { json: 3 },
  // test/e2e/schedule-ways.test.ts
  "build/scheduling.md": { json: 3 },
  // test/e2e/tenants.test.ts
  "build/tenants.md": { json: 2, ts: 1 },
  // test/e2e/testing.test.ts
  "build/testing.md": { ts: 1, js: 1 },
};

/** Those of this file. */
const HERE: typeof ELSEWHERE = {
  "reference/diagnostics.md": { "": 1 },
  "learn/generated-code.md": { ts: 2 },
  "build/graphql.md": { graphql: 2, json: 1 },
  "build/migrations.md": { "": 6, json: 3, sql: 3 },
  // Such answers: test/runtime/search/found.test.ts, test/e2e/search.test.ts
  "build/search.md": { json: 2, graphql: 1 },
  "build/schema-files.md": { json: 2 },
  "run/panel.md": { json: 1 },
  // The request with If-Match: test/panel/mount.test.ts
  "build/writing.md": { http: 1, json: 2 },
};

/** How many there are of each language. */
const counts = (blocks: readonly Block[]): Readonly<Record<string, number>> => {
  const sum: Record<string, number> = {};
  for (const { language } of blocks) sum[language] = (sum[language] ?? 0) + 1;
  return sum;
};

/** Names that hold a hash, without it. */
const withoutHashes = (sql: string): string => sql.replaceAll(/(galley_(?:entry|next))_[0-9a-f]{8}_/g, "$1_");

test("there is no block that no test looks at", async () => {
  const left = (await allBlocks()).map(([page, blocks]) => {
    const others = blocks.filter(
      ({ language }) => !COMMANDS.has(language) && !(language === "ts" && COMPILED.includes(page)),
    );
    return [page, counts(others)] as const;
  });
  const known: typeof ELSEWHERE = { ...ELSEWHERE, ...HERE };
  expect(Object.fromEntries(left.filter(([, languages]) => Object.keys(languages).length > 0))).toEqual(known);
});

const created = z.object({ data: z.object({ documentId: z.string() }) });

const blocksIn = async (page: string, language: string): Promise<readonly string[]> =>
  (await blocksOf(page)).filter((block) => block.language === language).map(({ text }) => text.trimEnd());

const author = { type: "relation", relation: "manyToOne", target: "api::author.author", inversedBy: "articles" };
const articles = { type: "relation", relation: "oneToMany", target: "api::article.article", mappedBy: "author" };
const text = { type: "string" };
const seo = { info: { displayName: "SEO" }, attributes: { metaTitle: text } };

/** The project that the pages speak of. */
const pagesProject = () => {
  const project = migrationProject();
  const options = { options: { draftAndPublish: true } };
  project.write(
    "content-types/article/schema.json",
    schema(
      "article",
      {
        title: { ...text, required: true, maxLength: 120 },
        slug: { type: "uid" },
        excerpt: { type: "text" },
        cover: { type: "media", allowedTypes: ["images"] },
        author,
        seo: { type: "component", component: "shared.seo", required: true },
        internalNote: { ...text, private: true },
        sections: { type: "dynamiczone", components: ["blocks.quote"] },
        comments: { type: "relation", relation: "oneToMany", target: "api::comment.comment" },
      },
      options,
    ),
  );
  project.write("content-types/author/schema.json", schema("author", { name: text, articles }));
  project.write("content-types/comment/schema.json", schema("comment", { text }));
  project.write("content-types/components/shared/seo.json", seo);
  project.write("content-types/components/blocks/quote.json", { info: { displayName: "Quote" }, attributes: { text } });
  return project;
};

test("no cell of a table is so long that it wants to be a paragraph", async () => {
  const cells: string[] = [];
  for (const page of await docPages()) {
    const text = await readFile(path.join(repository, "docs", page), "utf8");
    const rows = text.split("\n").filter((line) => line.startsWith("|"));
    cells.push(...rows.flatMap((row) => row.split(/(?<!\\)\|/)).filter((cell) => cell.trim().length > 200));
  }
  expect(cells).toEqual([]);
});

test("generated code is what the page says of it, and its queries are of the schema", async () => {
  const { root } = pagesProject();
  const files = await renderProject(root);
  const lines = new Set(
    ["document", "validator"].flatMap((name) => files.get(`article/${name}.ts`)?.split("\n") ?? []),
  );
  for (const block of await blocksIn("learn/generated-code.md", "ts")) {
    expect(block.split("\n").filter((line) => !lines.has(line))).toEqual([]);
  }
  const served = buildSchema(await sdlOf(root, "entity"));
  const queries = await blocksIn("build/graphql.md", "graphql");
  expect(queries.flatMap((query) => validate(served, parse(query)))).toEqual([]);
});

test("migrations are what the page shows of them", async () => {
  const { root, write, names, read } = migrationProject();
  const generate = async (...more: readonly string[]) => {
    const { stdout, stderr } = await cms(root, ["generate", ...more]);
    return `${stdout}${stderr}`;
  };
  const article = (attributes: object) => write("content-types/article/schema.json", schema("article", attributes));
  const [files = "", refusal = "", hint = "", ...plans] = await blocksIn("build/migrations.md", "");
  const [added, entries = ""] = await blocksIn("build/migrations.md", "sql");
  const [renamed, moved, converted] = (await blocksIn("build/migrations.md", "json")).map((line): object =>
    JSON.parse(`{${line}}`),
  );
  const up = () => read(`generated/migrations/${names().at(-1)}/up.sql`);

  article({ title: text, price: text });
  await generate();
  article({ title: text, price: text, subtitle: text });
  await generate();
  expect(up().trimEnd()).toBe(added);
  const [folder = "", ...inside] = files.split("\n");
  expect(names().at(-1)).toMatch(/^\d{14}_add_article_subtitle$/);
  expect(folder).toMatch(/^generated\/migrations\/\d{14}_add_article_subtitle\/$/);
  for (const line of inside)
    expect(read(`generated/migrations/${names().at(-1)}/${line.trim().split(" ")[0]}`)).not.toBe("");

  article({ title: text, price: text });
  const [command, ...refused] = refusal.split("\n");
  expect(command).toBe("$ cms generate");
  expect((await generate()).split("\n")).toEqual(expect.arrayContaining(refused));
  article({ title: text, price: text, tagline: text });
  expect(await generate()).toContain(hint);
  article({ title: text, ...converted, ...renamed });
  expect(await generate()).toContain("generated:");
  expect(up()).toContain("split_part(price, ' ', 1)::integer");

  const link = (attributes: object) =>
    write("content-types/components/shared/link.json", { info: { displayName: "Link" }, attributes });
  const page = (attributes: object) => write("content-types/page/schema.json", schema("page", attributes));
  const links = { type: "component", component: "shared.link", repeatable: true };
  const box = { type: "component", component: "shared.seo" };
  write("content-types/components/shared/seo.json", { info: { displayName: "SEO" }, attributes: { metaTitle: text } });
  link({ url: text });
  page({ title: text, links, seo: box });
  await generate();
  link({ href: { ...text, renamedFrom: "url" } });
  await generate();
  for (const part of entries.split("\n\n")) expect(withoutHashes(up())).toContain(withoutHashes(part));
  write("content-types/components/shared/seo.json", {
    info: { displayName: "SEO" },
    attributes: { metaTitle: text, ...moved },
  });
  page({ links, seo: box });
  expect(await generate()).toContain("generated:");

  const commands = [["generate"], ["rename"], ["migrate"], ["migrate", "down"]];
  const helps = await Promise.all(commands.map((words) => cms(root, [...words, "--help"])));
  const help = helps.map(({ stdout }) => stdout).join("");
  for (const [named] of plans.join("\n").matchAll(/(?<=^cms migrate )[a-z]+|--\w[\w-]*/gm)) {
    expect(help).toMatch(new RegExp(`^ +${named}\\b`, "m"));
  }
});

test("what is wrong with a schema file is told as the page shows it, and files of the other page are taken", async () => {
  const { root, write } = migrationProject();
  const [shown = ""] = await blocksIn("reference/diagnostics.md", "");
  const [whole = "", pointer = ""] = await blocksIn("build/schema-files.md", "json");
  const file = "content-types/article/schema.json";
  write("content-types/author/schema.json", schema("author", { articles }));
  const [recipe = ""] = await blocksIn("run/panel.md", "json");
  write("content-types/recipe/schema.json", recipe);
  write(file, whole.replace("{", pointer.replace(/ \}$/, ",")));
  const taken = await cms(root, ["generate"]);
  expect([taken.stdout, taken.stderr]).toEqual([
    expect.stringContaining("generated:"),
    expect.not.stringContaining("panel"),
  ]);

  write("content-types/author/schema.json", schema("author", { name: text }));
  const [, line = ""] = /:(\d+):\d+ - error/.exec(shown) ?? [];
  const attribute = [
    '    "author": {',
    '      "type": "relation",',
    '      "relation": "manyToOne",',
    '      "target": "api::autor.author"',
    "    }",
  ];
  const above = whole.slice(0, whole.indexOf('    "author"'));
  const empty = "\n".repeat(Number(line) - above.split("\n").length - 3);
  write(file, [above, empty, attribute.join("\n"), "\n  }\n}\n"].join(""));
  expect((await cms(root, ["generate"])).stderr.trim()).toBe(shown);
});

test("a copy of a locale, and answers to what is refused, are those that the pages show", async () => {
  const app = await exampleApp(onTestFinished, await exampleDatabase(), {
    locales: { default: "en", codes: ["en", "de"] },
  });
  const token = await app.token();
  const [copy = "", body = ""] = await blocksIn("build/writing.md", "json");
  const english = { title: "Tea", slug: "tea-in-two-languages", excerpt: "Hot" };
  const made = await app.send("POST", "/api/articles?status=draft", { token, body: { data: english } });
  const german = `/api/articles/${created.parse(made.body).data.documentId}?locale=de&status=draft`;
  const copied = await app.send("PUT", german, { token, body: JSON.parse(copy) });
  expect(copied.body).toMatchObject({ data: { title: "Tee", excerpt: "Hot", locale: "de" } });
  const long = "x".repeat(121);
  const data = { title: long, slug: "x", seo: { metaTitle: long } };
  const refused = await app.send("POST", "/api/articles", { token, body: { data } });
  expect(JSON.parse(JSON.stringify(refused.body).replaceAll(long, "…"))).toEqual(JSON.parse(body));
  const [errors = ""] = await blocksIn("build/graphql.md", "json");
  const mutation = `mutation { createArticle(data: { slug: "x", title: "${long}" }) { data { id } } }`;
  const answer = JSON.stringify((await app.graphql(mutation, {}, { token })).body).replaceAll(long, "…");
  expect(JSON.parse(answer)).toMatchObject(JSON.parse(errors));
});
