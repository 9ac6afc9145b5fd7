import type { Plugin } from "@envelop/types";
import { execute, printSchema } from "graphql";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { freshDatabase, recording } from "../../support/database.ts";
import { seed } from "../query/seed.ts";
import { createTables } from "../query/tables.ts";
import { type GraphqlConfig, schemaWith, serve } from "./world.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  database = await freshDatabase("postgres");
  await createTables(database);
  await seed(database);
});

const formats: readonly NonNullable<GraphqlConfig["format"]>[] = ["flat", "entity"];

/** Answers everything with the executor of graphql-js. */
const byTheBook: Plugin = { onExecute: ({ setExecuteFn }) => setExecuteFn(execute) };

/** `article { title }` of the flat format in the words of both. */
const lists = {
  flat: `{ articles { title author { name articles { title } } categories { name } cover { url }
    seo { title topics { name } links { label owner { name } } } sections { __typename ... on ComponentBlocksHero { heading image { url } } } } }`,
  entity: `{ articles { data { attributes { title
    author { data { attributes { name articles { data { attributes { title } } } } } }
    categories { data { attributes { name } } } cover { data { attributes { url } } }
    seo { title topics { data { attributes { name } } } links { label owner { data { attributes { name } } } } }
    sections { __typename ... on ComponentBlocksHero { heading image { data { attributes { url } } } } } } } } }`,
};

test.each(formats)(
  "a nested selection of the %s format takes as many statements for one row as for all",
  async (format) => {
    const recorded = recording(database);
    const { query } = await serve({ database: recorded.database, graphql: { format } });
    const counted = async (pagination: string): Promise<number> => {
      const before = recorded.statements.length;
      const { body } = await query(lists[format].replace("articles", `articles(pagination: { ${pagination} })`));
      expect(body).not.toHaveProperty("errors");
      return recorded.statements.length - before;
    };
    const one = await counted("limit: 1");
    expect(await counted("limit: 100")).toBe(one);
    expect(one).toBeLessThanOrEqual(12);
  },
);

test.each(formats)("an answer of the %s format is sent as it was written: nobody parses it before", async (format) => {
  const { query } = await serve({ database, graphql: { format } });
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  const { text } = await query(lists[format]);
  // Once, by this test.
  expect(parse.mock.calls.map(([parsed]) => parsed).filter((parsed) => parsed.includes('"articles":'))).toEqual([text]);
});

const rows: Readonly<Record<NonNullable<GraphqlConfig["format"]>, (selection: string) => string>> = {
  flat: (selection) => `{ articles { ${selection} } }`,
  entity: (selection) => `{ articles { data { attributes { ${selection} } } } }`,
};

test.each([
  ...formats.flatMap((format) =>
    [
      "sections { ... on ComponentBlocksQuote { text } }",
      "title @skip(if: true)",
      "title seo { title @include(if: false) }",
      "links { label @skip(if: true) }",
    ].map((selection) => [format, rows[format](selection)] as const),
  ),
  ["entity", "{ articles { data @skip(if: true) { id } } }"] as const,
  ["flat", "{ articles_connection { nodes @skip(if: true) { documentId } } }"] as const,
])("objects of the %s format of which nothing is selected by %s are empty", async (format, asked) => {
  const direct = await serve({ database, graphql: { format } });
  const executed = await serve({ database, graphql: { format, server: { plugins: [byTheBook] } } });
  const { text, body } = await direct.query(asked);
  expect(text).toContain("{}");
  expect(body).not.toHaveProperty("errors");
  expect(text).toBe((await executed.query(asked)).text);
});

const ask = async (format: "flat" | "entity", text: string): Promise<unknown> => {
  const { query } = await serve({ database, graphql: { format } });
  return (await query(text)).body;
};

test("aliases of what wraps documents have their own arguments and relations below them", async () => {
  const flat = `{ articles_connection(filters: { documentId: { eq: "a1" } }) {
    nodes { x: categories(sort: "name") { name } } one: nodes { x: categories(pagination: { limit: 1 }) { name } } other: nodes { x: author { name } } } }`;
  expect(await ask("flat", flat)).toEqual({
    data: {
      articles_connection: {
        nodes: [{ x: [{ name: "Leaf" }, { name: "Root" }] }],
        one: [{ x: [{ name: "Leaf" }] }],
        other: [{ x: { name: "Ann" } }],
      },
    },
  });
  const entity = `{ article(id: "a1") { data {
    attributes { x: categories { data { id } } } a: attributes { x: author { data { id } } } } } }`;
  expect(await ask("entity", entity)).toEqual({
    data: {
      article: {
        data: {
          attributes: { x: { data: [{ id: "leaf" }, { id: "root" }] } },
          a: { x: { data: { id: "ann" } } },
        },
      },
    },
  });
});

test("one alias of two wrappers within one another stands for each of them", async () => {
  const text = `{ article(id: "a1") {
    a: data { attributes { x: categories { data { id } } } } data { a: attributes { x: author { data { id } } } } } }`;
  expect(await ask("entity", text)).toEqual({
    data: {
      article: {
        a: { attributes: { x: { data: [{ id: "leaf" }, { id: "root" }] } } },
        data: { a: { x: { data: { id: "ann" } } } },
      },
    },
  });
});

test("a document behind a relation to any type shows its other locales", async () => {
  const flat =
    '{ comment(documentId: "c1") { subject { ... on Article { localizations { title } localizations_connection { nodes { locale } } } } } }';
  expect(await ask("flat", flat)).toEqual({
    data: {
      comment: {
        subject: { localizations: [{ title: "Premier" }], localizations_connection: { nodes: [{ locale: "fr" }] } },
      },
    },
  });
});

test("two aliases of one relation have their own arguments", async () => {
  const { query } = await serve({ database, graphql: { format: "flat" } });
  const { body } = await query(`{
    author(documentId: "ann") {
      all: articles(sort: "title") { documentId }
      none: articles(filters: { title: { eq: "nothing" } }) { documentId }
      first: articles(sort: "title", pagination: { limit: 1 }) { documentId }
    }
  }`);
  const { data } = body as { data: { author: Record<"all" | "none" | "first", readonly unknown[]> } };
  expect(data.author.all.length).toBeGreaterThan(0);
  expect(data.author.none).toEqual([]);
  expect(data.author.first).toEqual(data.author.all.slice(0, 1));
});

test.each(formats)("private attributes and passwords are in no output and no filter of the %s format", (format) => {
  const printed = printSchema(schemaWith(undefined, { format }));
  const hidden = ["secret", "pin", "hiddenCover", "ghost", "hidden", "secretSeo", "token", "code", "key", "url", "by"];
  const types = ["Article", "Author", "Category", "ComponentSharedSeo", "ComponentSharedLink", "ComponentBlocksQuote"];
  for (const type of types) {
    for (const block of [`type ${type} {`, `input ${type}FiltersInput {`]) {
      const start = printed.indexOf(block);
      if (start === -1) continue;
      const body = printed.slice(start, printed.indexOf("\n}", start));
      for (const name of hidden) expect(body).not.toMatch(new RegExp(`^  ${name}[:(]`, "m"));
    }
  }
});

test.each([
  '{ articles(sort: "secret") { title } }',
  '{ articles(sort: "pin:desc") { title } }',
  '{ articles(sort: "ghost.name") { title } }',
  '{ articles(sort: "author.token") { title } }',
  '{ articles { author { articles(sort: "secret") { title } } } }',
  '{ articles { categories(sort: "code") { name } } }',
])("%s is refused, because it would tell of what is hidden", async (text) => {
  const { query } = await serve({ database, graphql: { format: "flat" } });
  const { body } = await query(text);
  expect(body).toMatchObject({ errors: [{ extensions: { code: "BAD_USER_INPUT" } }] });
});

test("relations to what the caller may not find are forbidden, and the document stays", async () => {
  const { query } = await serve({ database, graphql: { format: "entity" } });
  const { body, text } = await query(
    "{ articles { data { attributes { title vaults { data { attributes { name } } } } } } }",
  );
  expect(body).toMatchObject({
    errors: expect.arrayContaining([expect.objectContaining({ message: "Forbidden access" })]),
  });
  expect(text).not.toContain("gold");
  expect(text).toContain("title");
});

test.each([
  [
    "{ localizations: { documentId: { null: true } } }",
    "{ localizations: { id: { null: true } } }",
    ["Second", "Third"],
  ],
  ['{ not: { localizations: { locale: { eq: "fr" } } } }', undefined, ["Second", "Third"]],
  ['{ localizations: { locale: { eq: "fr" } } }', undefined, ["First"]],
])("articles are found by their translations: %s", async (flat, entity = flat, found) => {
  for (const format of formats) {
    const { query } = await serve({ database, graphql: { format } });
    const filters = format === "flat" ? flat : entity;
    const fields = format === "flat" ? "{ title }" : "{ data { attributes { title } } }";
    const { text } = await query(`{ articles(filters: ${filters}, sort: "title") ${fields} }`);
    expect([...text.matchAll(/"title":"(\w+)"/g)].map(([, title]) => title)).toEqual(found);
  }
});

test.each(formats)("lists of the %s format are filtered by the entries of zones", async (format) => {
  const { query } = await serve({ database, graphql: { format } });
  const titlesBy = async (filters: string): Promise<string> => {
    const shown = rows[format]("title").replace("articles", `articles(filters: ${filters})`);
    return (await query(shown)).text;
  };
  const found = `"title":"First"`;
  expect(await titlesBy(`{ sections: { component: { eq: "blocks.hero" } } }`)).toContain(found);
  expect(await titlesBy(`{ sections: { ComponentBlocksQuote: { text: { eq: "Q" } } } }`)).toContain(found);
  expect(await titlesBy(`{ sections: { ComponentBlocksHero: { cta: { label: { eq: "stay" } } } } }`)).not.toContain(
    "title",
  );
  expect(await titlesBy(`{ not: { sections: { component: { notNull: true } } } }`)).toContain(`"title":"Second"`);
  expect(await titlesBy(`{ sections: { not: { ComponentBlocksQuote: { text: { eq: "Q" } } } } }`)).not.toContain(found);
  expect(await titlesBy(`{ sections: { ComponentBlocksQuote: { by: { eq: "me" } } } }`)).toContain("by");
});
