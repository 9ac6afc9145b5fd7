/** What a client may ask of a server at most. */
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../runtime/database/database.ts";
import { freshDatabase } from "../../support/database.ts";
import { emptyDatabase } from "../../support/services.ts";
import { storeMany } from "./many-articles.ts";
import { type GraphqlConfig, serve } from "./world.ts";

const formats = ["flat", "entity"] as const;
type Format = (typeof formats)[number];

let database: Database;
beforeAll(async () => {
  database = await freshDatabase("postgres");
  await storeMany(database);
});

/** A selection of documents, in the words of a format. */
const rows = (format: Format, selection: string): string =>
  format === "flat" ? `{ ${selection} }` : `{ data { attributes { ${selection} } } }`;

type Rows = readonly Readonly<Record<string, unknown>>[];

/** The documents of a list, whatever is around them. */
const rowsOf = (value: unknown): Rows => {
  const list: unknown = typeof value === "object" && value !== null && "data" in value ? value.data : value;
  if (!Array.isArray(list)) throw new Error(`no list: ${JSON.stringify(value)}`);
  return list.map((row: unknown) => {
    const entity: Readonly<Record<string, unknown>> = Object(row);
    return "attributes" in entity ? Object(entity["attributes"]) : entity;
  });
};

const articlesOf = (body: unknown): Rows => rowsOf(Object(Object(body).data).articles);

test.each(formats)("%s: a list has no more entries than the limits say, at every level", async (format) => {
  const amounts = async (graphql: GraphqlConfig, page: string): Promise<readonly number[]> => {
    const { query } = await serve({ database, graphql: { format, ...graphql } });
    const nested = `categories${page} ${rows(format, "name")} gallery${page} ${rows(format, "url")} seo { images${page} ${rows(format, "url")} }`;
    const { body } = await query(`{ articles${page} ${rows(format, nested)} }`);
    const list = articlesOf(body);
    const [{ categories, gallery, seo } = {}] = list;
    return [list.length, ...[categories, gallery, Object(seo).images].map((each) => rowsOf(each).length)];
  };
  expect(await amounts({}, "")).toEqual([10, 2, 2, 2]);
  expect(await amounts({}, "(pagination: { limit: 100 })")).toEqual([60, 2, 2, 2]);
  expect(await amounts({ defaultLimit: 1 }, "")).toEqual([1, 1, 1, 1]);
  expect(await amounts({ amountLimit: 1 }, "(pagination: { limit: 50 })")).toEqual([1, 1, 1, 1]);
  expect(await amounts({ amountLimit: 1 }, "(pagination: { limit: -1 })")).toEqual([1, 1, 1, 1]);
  expect(await amounts({ amountLimit: 1 }, "(pagination: { pageSize: 50 })")).toEqual([1, 1, 1, 1]);
});

test.each(formats)("%s: lists that end where no more may be asked for are told beside the data", async (format) => {
  const told = async (articles: string, categories: string, more = ""): Promise<unknown> => {
    const { query } = await serve({ database, graphql: { format, amountLimit: 2, defaultLimit: 2, tellCut: true } });
    const isUsed = `${articles}${categories}${more}`.includes("$many");
    const nested = `title categories${categories} ${rows(format, "name")}`;
    const { body } = await query(
      `query ${isUsed ? "($many: Int = 3) " : ""}{ list: articles${articles} ${rows(format, nested)} ${more} }`,
    );
    return Object(body).extensions;
  };
  const path = format === "flat" ? ["list", "categories"] : ["list", "data", "attributes", "categories"];
  // Who asks for no more than there may be gets what was asked for.
  expect(await told("", "(pagination: { limit: 2 })")).toBeUndefined();
  expect(await told("(pagination: { start: 59, limit: -1 })", "")).toBeUndefined();
  expect(await told("(pagination: { limit: -1 })", "")).toEqual({ cut: [{ path: ["list"], limit: 2 }] });
  expect(await told("", "(pagination: { pageSize: $many })")).toEqual({ cut: [{ path, limit: 2 }] });
  const whole = rows(format, "...Known");
  const fragment = `two: articles(pagination: { limit: $many }) ${whole} __typename } fragment Known on Article { ...Title } fragment Title on Article { title }`;
  expect(await told("(pagination: { limit: 5 })", "(pagination: { limit: 7 })", fragment.slice(0, -1))).toEqual({
    cut: [
      { path: ["list"], limit: 2 },
      { path, limit: 2 },
      { path: ["two"], limit: 2 },
    ],
  });
});

const titles = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

test.each(formats)("%s: filters and sort are as short as the limits say, in variables too", async (format) => {
  const { query } = await serve({ graphql: { format } });
  const text = `query ($filters: ArticleFiltersInput, $sort: [String]) { articles(filters: $filters, sort: $sort) ${rows(format, "title")} }`;
  const refused = { errors: [{ extensions: { error: { name: "ValidationError" } } }] };
  for (const [variables, message] of [
    [{ filters: { or: titles(501).map((title) => ({ title: { eq: title } })) } }, "more than 500 conditions"],
    [{ filters: { title: { in: titles(501) } } }, "at title. It lists more than 500 values"],
    [{ sort: titles(501).map(() => "title") }, "Invalid sort parameter. It has more than 500 keys"],
    [{ sort: ["title,".repeat(150_000)] }, "Invalid sort parameter. It has more than 500 keys"],
    [
      { sort: ["categories.name", "categories.articles.title"] },
      "at categories.articles. Its keys lead through more than 2",
    ],
  ] as const) {
    const { body } = await query(text, variables);
    expect(body).toMatchObject(refused);
    expect(JSON.stringify(body)).toContain(message);
  }
});

const deep = (open: string, close: string): string => open.repeat(3000) + close.repeat(3000);

test.each(formats)("%s: a text that nests without end is refused, wherever it does", async (format) => {
  const { query } = await serve({ graphql: { format } });
  for (const text of [
    `{ articles(filters: ${deep("{ not: ", "}")}) ${rows(format, "title")} }`,
    `{ articles(sort: ${deep("[", "]")}) ${rows(format, "title")} }`,
    `{ articles ${deep("{ a", "}")} }`,
    deep("{ ... ", "}"),
  ]) {
    const { status, body } = await query(text);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ extensions: { code: "GRAPHQL_PARSE_FAILED" } }] });
  }
});

test.each(formats)("%s: fragments that unfold endlessly are seen through", async (format) => {
  const { query } = await serve({ graphql: { format } });
  const doubling = Array.from({ length: 40 }, (_, index) => {
    const next = `...F${index + 1}`;
    return `fragment F${index} on Query { ${next} ... on Query { ${next} } }`;
  });
  const last = "fragment F40 on Query { __typename }";
  expect(await query(`{ ...F0 } ${doubling.join(" ")} ${last}`)).toMatchObject({
    status: 200,
    body: { data: { __typename: "Query" } },
  });
  const circle = Array.from({ length: 300 }, (_, index) => {
    const [one, other] = [(index + 1) % 300, (index + 2) % 300];
    return `fragment F${index} on Query { __typename ...F${one} ...F${other} }`;
  });
  expect(await query(`{ ...F0 } ${circle.join(" ")}`)).toMatchObject({
    status: 400,
    body: { errors: [{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] },
  });
  expect(await query("{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }")).toMatchObject({
    status: 400,
    body: { errors: [{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] },
  });
});

test.each(formats)(
  "%s: a selection that follows too many relations is refused before anything is read",
  async (format) => {
    const read: string[] = [];
    const watched: Database = { ...emptyDatabase(), rows: async (sql) => (read.push(String(sql)), []) };
    const { query } = await serve({ database: watched, graphql: { format, depthLimit: 50 } });
    const levels = Array.from({ length: 12 }, (_, index) => {
      const next = rows(format, `...F${index + 1}`);
      return `fragment F${index} on Author { boss ${next} deputy ${next} }`;
    });
    const { body } = await query(
      `{ authors ${rows(format, "...F0")} } ${levels.join(" ")} fragment F12 on Author { name }`,
    );
    expect(body).toMatchObject({
      errors: [
        { message: expect.stringContaining("more than 2000 relations"), extensions: { code: "BAD_USER_INPUT" } },
      ],
    });
    expect(read).toEqual([]);
  },
);

test("aliases count as often as the fragment that holds them is spread", async () => {
  const { query } = await serve({ graphql: { format: "flat", aliasLimit: 3 } });
  const fragment = "fragment F on Query { a: articles { title } b: articles { title } }";
  expect((await query(`{ ...F } ${fragment}`)).status).toBe(200);
  expect(await query(`{ ...F ... on Query { ...F } } ${fragment}`)).toMatchObject({
    status: 400,
    body: { errors: [{ message: expect.stringContaining("Aliases limit of 3 exceeded") }] },
  });
});

test("several operations in one request are refused", async () => {
  const { send } = await serve({ graphql: { format: "flat" } });
  expect(await send([{ query: "{ __typename }" }])).toMatchObject({
    status: 400,
    body: { errors: [{ message: "Operation batching disabled." }] },
  });
});

test.each([
  "{ __schema { types { name } } }",
  '{ __type(name: "Article") { fields { name } } }',
  "{ ...Hidden } fragment Hidden on Query { s: __schema { queryType { name } } }",
])("in production %s is refused", async (text) => {
  const { query } = await serve({ graphql: { format: "flat" }, production: true });
  expect(await query(text)).toMatchObject({
    status: 400,
    body: { errors: [{ message: expect.stringContaining("introspection is not allowed") }] },
  });
  expect(await query("{ __typename }")).toMatchObject({ body: { data: { __typename: "Query" } } });
});

test.each(formats)("%s: no error tells of its cause, whoever threw it", async (format) => {
  const failing: Database = {
    ...emptyDatabase(),
    rows: () => Promise.reject(new Error("relation secret_table is missing")),
    transaction: () => Promise.reject(new Error("relation secret_table is missing")),
  };
  const { query } = await serve({
    database: failing,
    graphql: { format },
    app: {
      register({ graphql }) {
        graphql.use({
          typeDefs: "extend type Query { own: Int } extend type Article { own: Int }",
          resolvers: {
            Query: {
              own: () => {
                throw new TypeError("secret_table of one's own");
              },
            },
          },
          resolversConfig: { "Query.own": { auth: false } },
        });
      },
    },
  });
  for (const text of [
    "{ own }",
    `{ articles ${rows(format, "title")} }`,
    `mutation { createArticle(data: { title: "a" }) { ${format === "flat" ? "documentId" : "data { id }"} } }`,
  ]) {
    const reply = await query(text);
    expect(reply).toMatchObject({ status: 200, body: { errors: [{ message: "Internal Server Error" }] } });
    expect(reply.text).not.toMatch(/secret_table|stack|TypeError/);
  }
});

const times = (count: number, text: string): string => Array.from({ length: count }, () => text).join(" ");

test("selections of one field are compared with one another only as far as there are few", async () => {
  const { query } = await serve({ database, graphql: { format: "flat" } });
  const few = await query(`{ articles { ${times(100, "title")} } }`);
  expect(few.body).not.toHaveProperty("errors");
  for (const text of [
    `{ articles { ${times(400, "title")} } }`,
    `{ ${times(60, `articles { ${times(60, "title")} }`)} }`,
    `{ articles { ${times(60, "...F")} ${times(60, `author { ${times(60, "name")} }`)} } } fragment F on Article { title }`,
    `{ articles { title } } fragment Unused on Article { ${times(400, "title")} }`,
  ]) {
    expect(await query(text)).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            message: "The operation selects the same fields too often.",
            extensions: { code: "GRAPHQL_VALIDATION_FAILED" },
          },
        ],
      },
    });
  }
  const cycle = await query("{ articles { ...A } } fragment A on Article { author { articles { ...A } } }");
  expect(cycle).toMatchObject({
    status: 400,
    body: { errors: expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining("itself") })]) },
  });
});

/** Articles that lead to two others each, so many times: few rows, and twice the text with every step. */
const relatives = (format: Format, steps: number): string =>
  steps === 0 ? "title" : `title related ${rows(format, relatives(format, steps - 1))}`;

const tooLarge = (path: string) =>
  `The answer has more than 5000 characters at ${path} (limits.answerSize). Ask for fewer entries, or populate less`;

const articles = (text: string): number => text.match(/"Article \d+"/g)?.length ?? 0;

test("over REST an answer is no longer than the limit, and the error names what made it so", async () => {
  const { rest } = await serve({ database, limits: { answerSize: 5000 } });
  const ask = (steps: number) =>
    rest(
      `/articles?fields=title&pagination[pageSize]=1&populate=${Array.from({ length: steps }, () => "related").join(".")}`,
    );
  expect(await ask(3)).toMatchObject({ status: 200, body: { data: [{ title: "Article 1" }] } });
  const path = "related.related.related.related.related";
  expect(await ask(8)).toMatchObject({
    status: 400,
    body: {
      data: null,
      error: { name: "ValidationError", message: tooLarge(path), details: { path, param: "populate" } },
    },
  });
});

test.each(formats)("%s: an answer is no longer than the limit, whoever writes it", async (format) => {
  const { query } = await serve({
    database,
    graphql: { format, depthLimit: 50, aliasLimit: 1000 },
    limits: { answerSize: 5000 },
  });
  const one = (steps: number) => `articles(pagination: { limit: 1 }) ${rows(format, relatives(format, steps))}`;
  const small = await query(`{ ${one(3)} }`);
  expect(small.body).not.toHaveProperty("errors");
  expect(articles(small.text)).toBe(15);
  for (const text of [`{ ${one(8)} }`, `{ __schema { queryType { name } } ${one(8)} }`]) {
    const reply = await query(text);
    expect(reply.body, text).toMatchObject({ errors: [{ extensions: { code: "BAD_USER_INPUT" } }] });
    expect(articles(reply.text)).toBe(0);
  }
  const many = await query(`{ ${Array.from({ length: 40 }, (_, index) => `a${index}: ${one(3)}`).join(" ")} }`);
  expect(many.body).toHaveProperty("errors.0.extensions.error.name", "ValidationError");
  expect(articles(many.text)).toBeLessThan(40 * 15);
});
