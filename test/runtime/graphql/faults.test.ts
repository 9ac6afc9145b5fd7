import type { Plugin } from "@envelop/types";
/** What goes wrong while a query is answered is told once, and nothing is read a second time for it. */
import { execute } from "graphql";
import { expect, test } from "vitest";
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { freshDatabase, recording } from "../../support/database.ts";
import { COUNT, storeMany } from "./many-articles.ts";
import { serve } from "./world.ts";

const byTheBook: Plugin = { onExecute: ({ setExecuteFn }) => setExecuteFn(execute) };

/** A database that refuses what reads a table. */
const refusing = (database: Database, table: string, reason = new Error("The disk is gone")): Database => ({
  ...database,
  rows: (sql, parameters) =>
    sql.includes(`from "${table}"`) ? Promise.reject(reason) : database.rows(sql, parameters),
});

test.each([
  ["flat", "articles { documentId }", '{ article(documentId: "a") { documentId } authors { documentId } }'],
  ["entity", "articles { data { id } }", '{ article(id: "a") { data { id } } authors { data { id } } }'],
] as const)(
  "in the %s format, what comes to nothing because the database is away is a 503, and a part of an answer is a 200",
  async (format, list, partly) => {
    const database = await freshDatabase("postgres");
    await storeMany(database);
    const away = refusing(database, "articles", new ServiceUnavailableError());
    const { query } = await serve({ database: away, graphql: { format } });
    const error = { message: "Service Unavailable", extensions: { code: "STRAPI_SERVICE_UNAVAILABLE_ERROR" } };
    const none = await query(`{ ${list} }`);
    expect([none.status, none.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(none.body).toMatchObject({ errors: [error] });
    const part = await query(partly);
    expect(part.body).toMatchObject({ errors: [error], data: { authors: expect.anything() } });
    expect([part.status, part.headers.get("retry-after")]).toEqual([200, null]);
  },
);

test.each([
  ["flat", "{ authors { name } articles(pagination: { limit: 2 }) { title } }", null],
  ["entity", "{ authors { data { id } } articles { data { id } } }", { authors: { data: [] }, articles: null }],
] as const)("a table that cannot be read is asked once, in the %s format", async (format, text, data) => {
  const database = await freshDatabase("postgres");
  await storeMany(database);
  await database.script("delete from authors");
  const { database: recorded, statements } = recording(refusing(database, "articles"));
  const { query } = await serve({ database: recorded, graphql: { format } });
  const { status, body } = await query(text);
  expect(status).toBe(200);
  const extensions = { code: "INTERNAL_SERVER_ERROR" };
  expect(body).toEqual({ errors: [{ message: "Internal Server Error", path: ["articles"], extensions }], data });
  const asked = statements.filter((sql) => sql.includes('from "articles"') && !sql.includes("count(*)"));
  expect(asked).toHaveLength(1);
});

const broken = (key: string, ...rest: readonly (string | number)[]) => ({
  message: `Cannot return null for non-nullable field ${key}.`,
  path: ["articles", ...rest],
});

test("a null where there must be none is an error beside what is there, as the executor has it", async () => {
  const database = await freshDatabase("postgres");
  await storeMany(database);
  // Ids are what every component has; nothing but a write past the server can take them away.
  await database.script(`update articles set links = '[{"label":"one"},{"id":7,"label":"two"}]', seo = '{"title":"x"}'
    where id in (1, 3)`);
  const { database: recorded, statements } = recording(database);
  const count = async (plugins: readonly Plugin[]) => {
    const { query } = await serve({
      database: recorded,
      graphql: { format: "flat", server: { plugins: [...plugins] } },
    });
    const before = statements.length;
    const reply = await query(
      '{ articles(sort: "documentId", pagination: { limit: 60 }) { title links { id label } mine: seo { key: id } } }',
    );
    return { ...reply, statements: statements.length - before };
  };
  const own = await count([]);
  const book = await count([byTheBook]);
  expect(own.text).toBe(book.text);
  expect(own.statements).toBe(book.statements);
  expect(own.body).toMatchObject({
    errors: [
      broken("ComponentSharedLink.id", 0, "links", 0, "id"),
      broken("ComponentSharedSeo.id", 0, "mine", "key"),
      broken("ComponentSharedLink.id", expect.any(Number), "links", 0, "id"),
      broken("ComponentSharedSeo.id", expect.any(Number), "mine", "key"),
    ],
  });
  expect(Object(own.body).data.articles).toHaveLength(COUNT);
  expect(Object(own.body).data.articles[0]).toMatchObject({ links: [null, { id: "7" }], mine: null });
});

test("variables that only name a document, and others, mean what they say at every request", async () => {
  const database = await freshDatabase("postgres");
  await storeMany(database);
  const { query } = await serve({ database, graphql: { format: "flat" } });
  const text = `query ($id: ID!, $with: Boolean!, $start: Int) {
    article(documentId: $id) { title author @include(if: $with) { name } categories(pagination: { start: $start }) { documentId } } }`;
  const asked = async (id: string, wanted: boolean, start: number) =>
    Object((await query(text, { id, with: wanted, start })).body).data.article;
  expect(await asked("a1", true, 0)).toMatchObject({ title: "Article 1", author: { name: expect.any(String) } });
  expect(await asked("a2", false, 0)).not.toHaveProperty("author");
  expect(await asked("a3", true, 1)).toMatchObject({ title: "Article 3", categories: [{ documentId: "k4" }] });
  expect(await asked("a4", true, 0)).toMatchObject({ title: "Article 4", categories: [{ documentId: "k4" }, {}] });
  expect(await asked("none", true, 0)).toBeNull();
  const filtered = `query ($filters: ArticleFiltersInput, $id: ID) { articles(filters: $filters) { title }
    article(documentId: "a1") { title } other: articles(filters: { documentId: { eq: $id } }) { title } }`;
  const titles = async (eq: string, id: string) =>
    Object((await query(filtered, { filters: { title: { eq } }, id })).body).data;
  expect(await titles("Article 5", "a6")).toMatchObject({
    articles: [{ title: "Article 5" }],
    other: [{ title: "Article 6" }],
  });
  expect(await titles("Article 7", "a8")).toMatchObject({
    articles: [{ title: "Article 7" }],
    other: [{ title: "Article 8" }],
  });
});
