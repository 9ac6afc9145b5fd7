/** Searches and filters of entries over REST and GraphQL, on both databases. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import type { Database } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { bothDatabases, type DatabaseKind, freshDatabase } from "../../support/database.ts";
import { type ExampleApp, exampleApp } from "../../support/example-app.ts";

interface Server extends ExampleApp {
  readonly full: string;
  readonly limited: string;
}

const servers = new Map<DatabaseKind, Server>();

const create = async ({ send, full }: Server, path: string, data: object): Promise<string> => {
  const { status, text, body } = await send("POST", path, { token: full, body: { data } });
  expect(status, text).toBe(201);
  return z.object({ data: z.object({ documentId: z.string() }) }).parse(body).data.documentId;
};

const locales = { locales: { default: "en", codes: ["en", "de"] } };

const start = async (database: Database): Promise<Server> => {
  await migrate(database, "generated/migrations");
  const app = await exampleApp(afterAll, database, {
    ...locales,
    search: { components: true, zoneFilters: true },
  });
  const full = await app.token();
  const limited = await app.token("api::article.article.find", "api::page.page.find");
  const server = { ...app, full, limited };
  const sections = [
    { __component: "blocks.text", body: "Green **tea**" },
    { __component: "blocks.quote", text: "Coffee", attribution: "Ann" },
  ];
  const published = await create(server, "/api/articles", { title: "Published", slug: "published", sections });
  const body = [
    {
      type: "paragraph",
      children: [
        { type: "text", text: "Dark " },
        { type: "text", text: "cocoa", bold: true },
      ],
    },
  ];
  await create(server, "/api/articles", { title: "Blocks", slug: "blocks", body, seo: { metaTitle: "Cups" } });
  await create(server, "/api/articles?status=draft", {
    title: "Draft",
    slug: "draft",
    sections: [{ __component: "blocks.text", body: "unripe" }],
  });
  const german = { title: "Deutsch", slug: "deutsch", sections: [{ __component: "blocks.text", body: "Grüner Tee" }] };
  const { status, text } = await server.send("PUT", `/api/articles/${published}?locale=de`, {
    token: full,
    body: { data: german },
  });
  expect(status, text).toBe(200);
  return server;
};

beforeAll(async () => {
  for (const kind of bothDatabases) servers.set(kind, await start(await freshDatabase(kind)));
});

const list = z.object({
  data: z.array(z.object({ title: z.string() })),
  meta: z.object({ pagination: z.object({ total: z.number() }) }),
});

test.each([
  ["_q=green **TEA**", "Published"],
  ["_q=dark cocoa", "Blocks"],
  ["_q=cups", "Blocks"],
  ["_q=unripe", ""],
  ["_q=unripe&status=draft", "Draft"],
  ["_q=Tee", ""],
  ["_q=Tee&locale=de", "Deutsch"],
  ["_q=tea&filters[sections][blocks.quote][attribution]=Ann", "Published"],
  ["filters[sections][__component]=blocks.text", "Published"],
  ["filters[sections][blocks.text][body][$containsi]=UNRIPE", ""],
  ["filters[sections][blocks.text][body][$containsi]=UNRIPE&status=draft", "Draft"],
  ["filters[sections][__component]=blocks.text&locale=de", "Deutsch"],
  ["filters[localizations][sections][blocks.text][body][$contains]=Tee", "Published"],
  ["filters[$not][sections][__component]=blocks.text&sort=title", "Blocks"],
])("REST finds and counts with %s", async (query, titles) => {
  for (const [kind, { send, full }] of servers) {
    const { status, text, body } = await send("GET", `/api/articles?${encodeURI(query)}`, { token: full });
    expect(status, `${kind}: ${text}`).toBe(200);
    const { data, meta } = list.parse(body);
    expect(data.map(({ title }) => title).join(), kind).toBe(titles);
    expect(meta.pagination.total, kind).toBe(data.length);
  }
});

const answer = z.object({
  data: z.object({
    articles: z.object({
      data: z.array(z.object({ attributes: z.object({ title: z.string() }) })),
      meta: z.object({ pagination: z.object({ total: z.number() }) }),
    }),
  }),
});

const TEA = 'ComponentBlocksText: { body: { containsi: "TEA" } }';
const WITH_TEXT = 'component: { eq: "blocks.text" }';

test.each([
  [`{ sections: { ${TEA} } }`, "Published"],
  ['{ sections: { component: { in: ["blocks.text"] } } }', "Published"],
  [`{ not: { sections: { ${WITH_TEXT} } } }`, "Blocks"],
  [`{ sections: { not: { ${WITH_TEXT} } } }`, "Blocks"],
  ['{ sections: { or: [{ ComponentBlocksQuote: { attribution: { eq: "Ann" } } }] } }', "Published"],
  ['{ sections: { ComponentBlocksText: { body: { eq: "unripe" } } } }', ""],
  ['{ sections: { ComponentBlocksText: { body: { eq: "unripe" } } } }, publicationState: PREVIEW', "Draft"],
  ['{ sections: { ComponentBlocksText: { body: { contains: "Tee" } } } }, locale: "de"', "Deutsch"],
])("GraphQL finds and counts with %s", async (filters, titles) => {
  for (const [kind, { graphql, full }] of servers) {
    const query = `{ articles(filters: ${filters}) { data { attributes { title } } meta { pagination { total } } } }`;
    const { text, body } = await graphql(query, {}, { token: full });
    const { data, error } = answer.safeParse(body);
    expect(error, `${kind}: ${text}`).toBeUndefined();
    expect(data?.data.articles.data.map(({ attributes }) => attributes.title).join(), kind).toBe(titles);
    expect(data?.data.articles.meta.pagination.total, kind).toBe(titles === "" ? 0 : 1);
  }
});

test.each([
  ["filters[sections][blocks.text][body]=x&status=draft", 403, "Forbidden"],
  ["_q=unripe&status=draft", 403, "Forbidden"],
  ["filters[sections][blocks.articles][articles][title]=x", 400, "Invalid key blocks.articles at sections"],
  ["filters[author][articles][sections][__component]=blocks.text", 400, "Invalid key author"],
  ["sort=sections.blocks.text.body", 400, "Invalid key sections"],
  ["filters[sections][constructor]=x", 400, "Invalid key constructor at sections"],
  ["filters[sections][__component][$eq][]=toString", 400, "Invalid key toString at sections"],
  ["filters[sections][__component]=", 400, "Invalid key __component at sections"],
])("who may find articles alone is refused %s", async (query, status, message) => {
  for (const [, { send, limited }] of servers) {
    const answered = await send("GET", `/api/articles?${encodeURI(query)}`, { token: limited });
    expect(answered).toMatchObject({ status, body: { error: { message } } });
  }
});

const clause = (index: number): string => `filters[$and][${index}][sections][blocks.text][body][$contains]=e`;

test.each(bothDatabases)("filters in several entries are weighed before they run, on %s", async (kind) => {
  const full = servers.get(kind);
  const database = full?.services.database;
  if (!full || !database) throw new Error(`There is no ${kind}`);
  const { send } = await exampleApp(afterAll, database, {
    ...locales,
    search: { zoneFilters: true },
    limits: { queryCost: 2 },
  });
  const ask = (query: string) => send("GET", `/api/articles?${query}`, { token: full.full });
  expect(await ask([clause(0), clause(1)].join("&"))).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("limits.queryCost") } },
  });
});

test("a component that a list names again and again is asked for once", async () => {
  const query = `query ($in: [String]) { articles(filters: { sections: { component: { in: $in } } }) { data { id } } }`;
  const variables = { in: Array.from({ length: 400 }, () => "blocks.quote") };
  const app = servers.get("pglite");
  if (!app) throw new Error("There is no server");
  const rows = vi.spyOn(app.services.database.reader ?? app.services.database, "rows");
  onTestFinished(() => rows.mockRestore());
  await app.graphql(query, variables, { token: app.full });
  const asked = rows.mock.calls.filter(([, parameters]) => JSON.stringify(parameters).includes("blocks.quote"));
  const counts = asked.map(([, parameters]) => JSON.stringify(parameters).split("blocks.quote").length - 1);
  expect(new Set(counts)).toEqual(new Set([1]));
});
