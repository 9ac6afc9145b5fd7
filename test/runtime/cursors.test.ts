/** Lists that clients read with cursors: what answers say, and what becomes of cursors that nobody was given. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { authorGraphql } from "../../generated/author/graphql.ts";
import { authorRoutes } from "../../generated/author/rest.ts";
import { author } from "../../generated/author/type.ts";
import { authorSchema } from "../../generated/author/validator.ts";
import example from "../../generated/index.ts";
import type { Builder } from "../../runtime/graphql/builder.ts";
import { at } from "../support/auth-app.ts";
import { blocksOf } from "../support/doc-blocks.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";
import { clientOf } from "./client/server.ts";

const locales = { default: "en", codes: ["en", "de"] };
const database = await exampleDatabase();
const app = await exampleApp(afterAll, database, {
  locales,
  fields: { public: { "api::author.author": ["name", "slug"] } },
});
/** The example's authors with the query that they have in the flat format. */
const withConnection = (builder: Builder): void => {
  authorGraphql(builder);
  builder.queryFields((t) => ({
    authors_connection: t.findConnection("Author", { can: "api::author.author.find" }),
  }));
};
const authors = { type: author, validator: authorSchema, graphql: withConnection, routes: authorRoutes };
const flat = await exampleApp(
  afterAll,
  database,
  { locales, graphql: { format: "flat" } },
  { ...example, contentTypes: { ...example.contentTypes, "api::author.author": authors } },
);
const full = await app.token();
const { documents } = app.services;

beforeAll(async () => {
  await app.allowPublic("api::author.author.find");
  await documents("api::author.author").createMany({
    data: Array.from({ length: 7 }, (_, index) => ({
      name: `Ada ${index % 3}`,
      slug: `ada-${index}`,
      email: `${index}@example.com`,
    })),
  });
  await documents("api::article.article").createMany({
    data: ["x", "y"].map((slug) => ({ title: "A", slug })),
  });
});

const get = (path: string, token: string | undefined = full) => app.send("GET", path, token ? { token } : {});
const cursorOf = async (path: string): Promise<string> => String(at((await get(path)).body, "meta.pagination.after"));
const factsOf = async (path: string): Promise<unknown> => at((await get(path)).body, "meta.pagination");
const refusalOf = async (path: string, token?: string): Promise<unknown> => {
  const { status, body } = await get(path, token);
  expect(status).toBe(400);
  return at(body, "error.message");
};

test("pages say where the next one begins, and count only if asked to", async () => {
  const cursor = expect.stringMatching(/^[\w-]{50,300}$/);
  expect(await factsOf("/api/authors?pagination[after]=")).toEqual({ pageSize: 25, after: null });
  expect(await factsOf("/api/authors?pagination[after]=&pagination[pageSize]=7")).toEqual({ pageSize: 7, after: null });
  expect(await factsOf("/api/authors?pagination[after]=&pagination[pageSize]=6")).toEqual({
    pageSize: 6,
    after: cursor,
  });
  expect(await factsOf("/api/authors?pagination[after]=&pagination[limit]=500")).toEqual({ limit: 100, after: null });
  const first = "/api/authors?sort=name:desc&pagination[limit]=2&pagination[withCount]=true&pagination[after]=";
  expect(await factsOf(first)).toEqual({ limit: 2, after: cursor, total: 7 });
  const { body } = await get(`${first}${await cursorOf(first)}`);
  expect(at(body, "meta.pagination")).toEqual({ limit: 2, after: cursor, total: 7 });
  expect(Object(at(body, "data")).map(({ slug }: { slug: string }) => slug)).toEqual(["ada-1", "ada-4"]);
});

test("equal requests get equal answers, so that clients need not load them twice", async () => {
  const path = "/api/authors?sort=name&pagination[limit]=2&pagination[after]=";
  const { text, headers } = await get(path);
  const again = await get(path);
  expect([again.text, again.headers.get("etag")]).toEqual([text, headers.get("etag")]);
});

const mixed = (kind: string): string => `Cannot use both ${kind} & cursor pagination in the same query`;

test("a cursor is for one way of paging", async () => {
  expect(await refusalOf("/api/authors?pagination[after]=&pagination[page]=1")).toBe(mixed("page"));
  expect(await refusalOf("/api/authors?pagination[after]=&pagination[start]=0")).toBe(mixed("offset"));
  expect(await refusalOf("/api/authors?pagination[after]=&pagination[pageSize]=1&pagination[limit]=1")).toBe(
    "Cannot use both page & offset pagination in the same query",
  );
  expect(await refusalOf("/api/authors?pagination[before]=x")).toBe("Invalid key before");
});

test("a cursor belongs to a type, sort, status and locale", async () => {
  const after = await cursorOf("/api/articles?sort=title&pagination[pageSize]=1&pagination[after]=");
  const foreign = "Invalid cursor. It belongs to another list: type, sort, status and locale must stay the same";
  const rest = `pagination[pageSize]=1&pagination[after]=${after}`;
  for (const path of [
    `/api/tags?sort=name&${rest}`,
    `/api/articles?${rest}`,
    `/api/articles?sort=title:desc&${rest}`,
    `/api/articles?sort=slug&${rest}`,
    `/api/articles?sort=title,slug&${rest}`,
    `/api/articles?sort=title&status=draft&${rest}`,
    `/api/articles?sort=title&locale=de&${rest}`,
    `/api/articles?sort=title&locale=*&${rest}`,
  ]) {
    expect([path, await refusalOf(path)]).toEqual([path, foreign]);
  }
  for (const path of [
    `/api/articles?sort[title]=asc&locale=en&status=published&${rest}`,
    `/api/articles?sort=title&fields=slug&filters[slug]=y&populate=*&_q=y&${rest}`,
  ]) {
    const { status, body } = await get(path);
    expect([status, at(body, "data.0.slug"), at(body, "meta.pagination")]).toEqual([
      200,
      "y",
      { pageSize: 1, after: null },
    ]);
  }
});

test("cursors that nobody was given are refused", async () => {
  const first = "/api/authors?sort=name&pagination[limit]=2&pagination[after]=";
  const after = await cursorOf(first);
  const flipped = (index: number): string =>
    `${after.slice(0, index)}${after[index] === "A" ? "B" : "A"}${after.slice(index + 1)}`;
  const hostile = [
    "x",
    "0",
    "null",
    "__proto__",
    "constructor",
    "'; drop table tags; --",
    "1 or 1=1",
    "NaN",
    "-1e400",
    "9".repeat(3999),
    "A".repeat(100_000),
    "😀",
    "\uFFFD",
    btoa("[1,[null]]"),
    btoa(JSON.stringify({ id: 1, values: [{}] })),
    `${after}A`,
    `${after}=`,
    `${after}%20`,
    ` ${after}`,
    after.slice(0, -1),
    after.slice(1),
    after.toLowerCase(),
    after + after,
    ...Array.from(after, (_, index) => flipped(index)),
  ];
  expect(await refusalOf(`${first}%00`)).toBe("Invalid value at pagination[after]. It contains a null character");
  for (const cursor of hostile) {
    const { status, body } = await get(`${first}${encodeURIComponent(cursor)}`);
    const short = cursor.slice(0, 200);
    expect([short, status, at(body, "error")]).toEqual([
      short,
      400,
      {
        status: 400,
        name: "ValidationError",
        message: "Invalid cursor. Pass on `after` as it is in the answer before, or leave it empty for the first page",
        details: { key: "after", path: "after", source: "query", param: "pagination" },
      },
    ]);
  }
  const form = "Invalid after parameter. Expected one cursor, or an empty text for the first page";
  for (const given of [
    "[after]",
    "[after][]=x",
    "[after][a]=x",
    "[after][__proto]=x",
    "[after]=&pagination[after]=x",
  ]) {
    expect([given, await refusalOf(`/api/authors?pagination${given}`)]).toEqual([given, form]);
  }
});

test("a list with a cursor is sorted by eight attributes at most", async () => {
  const sort = ["name", "slug", "createdAt", "updatedAt", "publishedAt", "documentId", "portrait.name", "portrait.ext"];
  const path = "/api/authors?pagination[limit]=5&pagination[after]=";
  const cursor = await cursorOf(`${path}&sort=${sort.join()}`);
  expect(at((await get(`${path}${cursor}&sort=${sort.join()}`)).body, "data.length")).toBe(2);
  expect(await refusalOf(`${path}&sort=${[...sort, "portrait.mime"].join()}`)).toBe(
    "A list that is read with cursors can be sorted by 8 attributes at most",
  );
  // Keys that decide nothing do not count.
  expect((await get(`${path}&sort=id,${[...sort, "portrait.mime"].join()}`)).status).toBe(200);
});

test("a cursor needs the same rights as its sort, and shows no value", async () => {
  const path = "/api/authors?sort=email&pagination[limit]=1&pagination[after]=";
  expect(await refusalOf(path, "")).toBe("Invalid key email");
  expect(await refusalOf(path)).toBe("Invalid key email");
  const page = await documents("api::author.author").findPage({
    sort: "email",
    pagination: { after: "", limit: 1 },
  });
  const { after } = page.meta.pagination;
  expect(Buffer.from(after ?? "", "base64url").toString("latin1")).not.toContain("example");
  expect(await refusalOf(`${path}${after}`, "")).toBe("Invalid key email");
});

test("clients and code read whole lists", async () => {
  const { cms, sent } = clientOf(app, { token: full });
  const slugs: string[] = [];
  for await (const { slug } of cms.authors.all({ sort: ["name:desc"], pagination: { pageSize: 3 } })) slugs.push(slug);
  expect(slugs).toEqual(["ada-2", "ada-5", "ada-1", "ada-4", "ada-0", "ada-3", "ada-6"]);
  const places = sent.map(({ url }) => new URL(url).searchParams.get("pagination[after]"));
  expect(places).toEqual(["", expect.stringMatching(/./), expect.stringMatching(/./)]);

  const read: string[] = [];
  const authors = documents("api::author.author");
  for await (const { slug } of authors.all({ sort: "name:desc", pagination: { pageSize: 2 } })) read.push(slug);
  expect(read).toEqual(slugs);
  const page = await authors.findPage({ sort: "name:desc", pagination: { pageSize: 2 } });
  expect(page.meta.pagination).toEqual({ page: 1, pageSize: 2, pageCount: 4, total: 7 });
  expect(page.data.map(({ slug }) => slug)).toEqual(slugs.slice(0, 2));
});

test("files are read with cursors, too", async () => {
  const content = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  for (const name of ["a.svg", "b.svg"]) await app.upload([{ name, type: "image/svg+xml", content }], full);
  const path = "/api/upload/files/page?sort=name:desc&pagination[limit]=1&pagination[after]=";
  const { body } = await get(`${path}${await cursorOf(path)}`);
  expect(at(body, "data.0.name")).toBe("a.svg");
});

test("a page shows what was written since, also where it was asked for before", async () => {
  const articles = documents("api::article.article");
  const path = "/api/articles?sort=slug&fields=slug&pagination[limit]=9&pagination[after]=";
  const second = `${path.replace("=9", "=1")}${await cursorOf(path.replace("=9", "=1"))}`;
  const slugOf = async () => at((await get(second)).body, "data.0.slug");
  expect([await slugOf(), await slugOf()]).toEqual(["y", "y"]);
  const between = await articles.create({ data: { title: "A", slug: "x-y" } });
  expect([await slugOf(), await slugOf()]).toEqual(["x-y", "x-y"]);
  // Changed and published again in place, it stays where it is; withdrawn and published again, it is another entry.
  const changed = await articles.update(between.documentId, { data: { title: "B" } });
  expect(changed?.id).toBe(between.id);
  await articles.unpublish(between.documentId);
  expect(await slugOf()).toBe("y");
  expect((await articles.publish(between.documentId))?.id).not.toBe(between.id);
  await articles.delete(between.documentId);
});

const paged = (sort: string, after: string | null) => ({ p: { pageSize: 3, after }, sort });
const ENTITIES = `query ($p: PaginationArg, $sort: [String]) {
  authors(pagination: $p, sort: $sort) { data { attributes { slug } } meta { pagination { after } } }
}`;
const NODES = `query ($p: PaginationArg, $sort: [String]) {
  authors_connection(pagination: $p, sort: $sort) { nodes { slug } pageInfo { total page pageSize pageCount after } }
}`;

const slugsOf = (body: unknown) =>
  Object(at(body, "data.authors.data")).map((entity: unknown) => at(entity, "attributes.slug"));

test("GraphQL reads lists with cursors in both formats, and counts where the total is selected", async () => {
  const token = { token: full };
  const first = await app.graphql(ENTITIES, paged("name:desc", ""), token);
  const { after } = Object(at(first.body, "data.authors.meta.pagination"));
  const second = await app.graphql(ENTITIES, paged("name:desc", after), token);
  expect([...slugsOf(first.body), ...slugsOf(second.body)]).toEqual([
    "ada-2",
    "ada-5",
    "ada-1",
    "ada-4",
    "ada-0",
    "ada-3",
  ]);

  const third = await flat.graphql(NODES, paged("name:desc", after), token);
  const facts = at(third.body, "data.authors_connection.pageInfo");
  expect(facts).toEqual({ total: 7, page: 0, pageSize: 3, pageCount: 3, after: expect.stringMatching(/./) });
  const last = await flat.graphql(NODES, paged("name:desc", String(at(facts, "after"))), token);
  expect(at(last.body, "data.authors_connection")).toEqual({
    nodes: [{ slug: "ada-6" }],
    pageInfo: { total: 7, page: 0, pageSize: 3, pageCount: 3, after: null },
  });
  const list = 'query ($p: PaginationArg) { authors(pagination: $p, sort: "name:desc") { slug } }';
  expect((await flat.graphql(list, { p: { pageSize: 1, after } }, token)).body).toEqual({
    data: { authors: [{ slug: "ada-4" }] },
  });
});

test("GraphQL numbers pages without a cursor, and refuses one where it means nothing", async () => {
  const token = { token: full };
  const plain = await flat.graphql(NODES, paged("name:desc", null), token);
  expect(at(plain.body, "data.authors_connection.pageInfo")).toEqual({
    total: 7,
    page: 1,
    pageSize: 3,
    pageCount: 3,
    after: null,
  });
  const refused = async (query: string) => at((await flat.graphql(query, {}, token)).body, "errors.0.message");
  const nested = `{ authors { articles(pagination: { after: "" }) { slug } } }`;
  expect(await refused(nested)).toBe("Only the lists of documents at the top of a query can be read with cursors");
  expect(await refused(`{ authors(pagination: { after: "x" }) { slug } }`)).toContain("Invalid cursor");
  expect(await refused(`{ authors(pagination: { after: "", page: 2 }) { slug } }`)).toContain("page & cursor");
});

test("the requests of the documentation read one page after the other", async () => {
  await documents("api::article.article").createMany({
    data: Array.from({ length: 100 }, (_, index) => ({ title: `B ${index}`, slug: `b-${index}` })),
  });
  const blocks = await blocksOf("build/rest-query.md");
  const lines =
    blocks
      .find(({ language }) => language === "http")
      ?.text.trim()
      .split("\n") ?? [];
  const [first = "", second = ""] = lines.map((line) => line.replace("GET ", ""));
  const { body } = await get(first);
  const next = await get(second.replace("AbC…", String(at(body, "meta.pagination.after"))));
  expect([at(body, "data.length"), at(body, "data.0.title")]).toEqual([100, "A"]);
  expect(at(next.body, "meta.pagination")).toEqual({ pageSize: 100, after: null });
  expect(at(next.body, "data.length")).toBe(2);
});
