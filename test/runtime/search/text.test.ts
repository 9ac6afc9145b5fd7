import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import type { Caller } from "../../../runtime/access/caller.ts";
import { configSchema } from "../../../runtime/config/config.ts";
import { createQueries, parseQuery, readMany } from "../../../runtime/query/index.ts";
import { documents } from "../../../runtime/schema/columns.ts";
import { defineComponent } from "../../../runtime/schema/content-type.ts";
import { createRegistry } from "../../../runtime/schema/registry.ts";
import { bothDatabases, freshDatabase } from "../../support/database.ts";
import { listOf } from "../../support/field-lists.ts";
import { application, article } from "../query/content.ts";
import { seed } from "../query/seed.ts";
import { articles, insert } from "../query/tables.ts";
import { createWorld, itemsOf, reader, type World } from "../query/world.ts";

let worlds: readonly World[];

const at = "2020-01-02 03:04:05.006";
const version = { createdAt: at, updatedAt: at, publishedAt: at, locale: "de" };
const long = `${"lorem ".repeat(20_000)}needle`;

const text = (words: string) => ({ type: "text", text: words });
const item = (words: string) => ({ type: "list-item", children: [text(words)] });

beforeAll(async () => {
  worlds = await Promise.all(bothDatabases.map(async (kind) => createWorld(await freshDatabase(kind))));
  const link = { type: "link", url: "https://address.example", children: [text("!linked")] };
  const rich = [
    { type: "paragraph", children: [text("Hello "), { ...text("World"), bold: true }, link] },
    { type: "list", format: "unordered", children: [item("first"), item("second")] },
  ];
  const quote = { __component: "blocks.quote", id: 54, text: "50% of (a|b).* 🎉 שלום", by: "hidden", rich };
  const hero = {
    __component: "blocks.hero",
    id: 51,
    links: [{ id: 52, label: "Nested", amount: 4711, url: "covert" }],
  };
  const seo = { id: 53, title: long, key: "passphrase" };
  const rows = [
    { ...version, id: 50, documentId: "a1", title: "zone", sections: [quote, hero] },
    { ...version, id: 51, documentId: "a2", title: "component", seo, secretSeo: { id: 55, title: "classified" } },
    { ...version, id: 52, documentId: "a3", title: "stale", sections: [{ __component: "blocks.gone", text: "gone" }] },
    {
      ...version,
      id: 53,
      documentId: "odd",
      title: "odd",
      sections: [
        { ...hero, links: "odd" },
        { ...quote, text: null, rich: oddBlocks },
      ],
    },
  ];
  for (const { database } of worlds) {
    await seed(database);
    await insert(database, documents, [{ documentId: "odd", type: "api::article.article" }]);
    await insert(database, articles, rows);
  }
});

const quoteWithBlocks = defineComponent({
  uid: "blocks.quote",
  attributes: {
    maze: { type: "component", component: "maze.room0" },
    text: { type: "text" },
    by: { type: "string", private: true },
    rich: { type: "blocks" },
  },
});
const ROOMS = 12;
/** Each leads to all others, so that there are more ways through them than anybody can follow. */
const rooms = Array.from({ length: ROOMS }, (_, index) => `maze.room${index}` as const).map((uid, _index, all) =>
  defineComponent({
    uid,
    attributes: {
      text: { type: "text" },
      ...Object.fromEntries(all.map((component, other) => [`to${other}`, { type: "component", component }])),
    },
  }),
);
const components = {
  ...application.components,
  ...Object.fromEntries(
    [quoteWithBlocks, ...rooms].map((component) => [component.uid, { component, validator: z.object({}) }]),
  ),
};

/** Not as validators ask for, but as an import or another version of the schema may have left them. */
const oddBlocks = [
  { type: "paragraph", children: [{ type: "text" }, { type: "text", text: 7 }, text("lonely")] },
  "odd",
  null,
];

const found = async (words: string, isDeep = true, caller: Caller = reader) => {
  const config = configSchema.parse({
    locales: { default: "en", codes: ["en", "de"] },
    search: { components: isDeep },
  });
  const queries = createQueries(createRegistry({ ...application, components }), config, "a secret");
  const query = parseQuery(`locale=de&_q=${encodeURIComponent(words)}`);
  const answers = worlds.map(async ({ database }) => {
    const services = { config, database, queries };
    const { documents, pagination } = await readMany({ services, caller }, article, query);
    const titles = itemsOf(documents).map(({ title }) => title);
    expect(pagination.total).toBe(titles.length);
    return titles.join();
  });
  const [first, ...others] = await Promise.all(answers);
  for (const other of others) expect(other).toBe(first);
  return first;
};

test.each([
  ["(A|B).*", "zone"],
  ["50%", "zone"],
  ["🎉 שלום", "zone"],
  ["nested", "zone"],
  ["4711", "zone"],
  ["needle", "component"],
  ["hello world", "zone"],
  ["world!linked", "zone"],
  ["second", "zone"],
  ["firstsecond", ""],
  ["paragraph", ""],
  ["address.example", ""],
  ["blocks.quote", ""],
  ["__component", ""],
  ["hidden", ""],
  ["covert", ""],
  ["passphrase", ""],
  ["classified", ""],
  ["gone", ""],
  ["lonely", "odd"],
  ["'); drop table articles; --", ""],
])("the text %s is found in %s where components are searched", async (words, expected) => {
  expect(await found(words)).toBe(expected);
});

test("components are not searched by default", async () => {
  expect(configSchema.parse({}).search.components).toBe(false);
  expect(await found("nested", false)).toBe("");
});

test("a caller whose list leaves out an attribute finds nothing in it", async () => {
  const fields = new Map([["api::article.article", listOf("title", "seo")]] as const);
  expect(await found("nested", true, { ...reader, fields })).toBe("");
  expect(await found("needle", true, { ...reader, fields })).toBe("component");
});
