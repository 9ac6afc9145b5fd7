import type { Plugin } from "@envelop/types";
import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { createLogger } from "../../../runtime/base/log.ts";
import { extraRules } from "../../../runtime/graphql/endpoint/rules.ts";
import { emptyDatabase, testServices } from "../../support/services.ts";
import { serve } from "./world.ts";

const flat = { format: "flat" } as const;

test("an operation deeper than the limit is refused before it runs", async () => {
  const { query } = await serve({ graphql: { ...flat, depthLimit: 2 } });
  expect(await query("query Deep { articles { author { boss { name } } } }")).toMatchObject({
    status: 400,
    body: { errors: [{ message: "'Deep' exceeds maximum operation depth of 2" }] },
  });
  expect(await query("{ articles { author { name } } }")).toMatchObject({ status: 200 });
});

test("the log names the key of the limit once", async () => {
  const lines: string[] = [];
  const log = createLogger({ level: "warn" }, { write: (line) => void lines.push(line) });
  const rules = extraRules({ ...(await testServices({}, { config: { graphql: { depthLimit: 1 } } })), log }, true);
  const schema = buildSchema("type Query { inner: Query }");
  for (const name of ["First", "Second"]) {
    const faults = validate(
      schema,
      parse(`query ${name} { inner { inner { __typename inner { __typename } } } }`),
      rules,
    );
    expect(faults.map(({ message }) => message)).toEqual([`'${name}' exceeds maximum operation depth of 1`]);
  }
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("graphql.depthLimit");
});

test("fragments count where they are spread", async () => {
  const { query } = await serve({ graphql: { ...flat, depthLimit: 2 } });
  const { status } = await query(
    "{ articles { ...A } } fragment A on Article { author { ...B } } fragment B on Author { boss { name } }",
  );
  expect(status).toBe(400);
});

test("too many aliases and too many tokens are refused", async () => {
  const { query } = await serve({ graphql: { ...flat, aliasLimit: 3, tokenLimit: 60 } });
  const aliases = Array.from({ length: 4 }, (_, index) => `a${index}: __type(name: "A") { name }`).join(" ");
  expect(await query(`{ ${aliases} }`)).toMatchObject({
    status: 400,
    body: { errors: [{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] },
  });
  expect((await query(`{ ${"__typename ".repeat(80)} }`)).status).toBe(400);
});

test("what goes wrong inside is answered without its cause", async () => {
  const database = { ...emptyDatabase(), rows: () => Promise.reject(new Error("the password is in here")) };
  const { query } = await serve({ database, graphql: flat });
  const { body, text } = await query("{ articles { title } }");
  expect(body).toMatchObject({
    errors: [{ message: "Internal Server Error", extensions: { code: "INTERNAL_SERVER_ERROR" } }],
  });
  expect(text).not.toContain("password");
});

test("a fault of syntax is a 400 that says where it is", async () => {
  const { query } = await serve({ graphql: flat });
  expect(await query("{")).toMatchObject({
    status: 400,
    body: { errors: [{ locations: [{ line: 1, column: 2 }], extensions: { code: "GRAPHQL_PARSE_FAILED" } }] },
  });
});

test("a persisted operation runs by its name, wherever the name stands, and nothing else does", async () => {
  const persistedOperations = {
    documents: { known: "query A($n: Int) { articles(pagination: { limit: $n }) { title } }" },
  };
  const { send } = await serve({ graphql: { ...flat, persistedOperations } });
  const named = { extensions: { persistedQuery: { version: 1, sha256Hash: "known" } } };
  for (const body of [{ documentId: "known" }, named, { query: persistedOperations.documents.known }]) {
    expect(await send(body)).toMatchObject({ status: 200, body: { data: { articles: [] } } });
  }
  expect(await send({ documentId: "known", query: "{ __typename }" })).toMatchObject({
    body: { data: { articles: [] } },
  });
  expect(await send({ query: "{ __typename }" })).toMatchObject({
    status: 400,
    body: { errors: [{ extensions: { code: "PERSISTED_QUERY_ONLY" } }] },
  });
  expect(await send({ documentId: "other" })).toMatchObject({
    body: { errors: [{ message: "PersistedQueryNotFound", extensions: { code: "PERSISTED_QUERY_NOT_FOUND" } }] },
  });
  expect(await send({ documentId: "constructor" })).toMatchObject({
    body: { errors: [{ message: "PersistedQueryNotFound" }] },
  });
});

test("texts may be sent beside persisted operations where they are not required", async () => {
  const persistedOperations = { documents: { known: "{ articles { title } }" }, required: false };
  const { send } = await serve({ graphql: { ...flat, persistedOperations } });
  expect(await send({ query: "{ __typename }" })).toMatchObject({ body: { data: { __typename: "Query" } } });
  expect(await send({ documentId: "other", query: "{ __typename }" })).toMatchObject({ body: { data: {} } });
  expect(await send({ documentId: "known" })).toMatchObject({ body: { data: { articles: [] } } });
});

test("a client that asks for a persisted operation where there are none is told to send texts", async () => {
  const { send } = await serve({ graphql: flat });
  expect(await send({ extensions: { persistedQuery: { version: 1, sha256Hash: "abc" } } })).toMatchObject({
    status: 200,
    body: { errors: [{ message: "PersistedQueryNotSupported" }] },
  });
});

test("plugins see operations being parsed and executed", async () => {
  const seen: string[] = [];
  const plugin: Plugin = {
    onParse: () => void seen.push("parse"),
    onExecute: () => void seen.push("execute"),
  };
  const { query } = await serve({ graphql: { ...flat, server: { plugins: [plugin] } } });
  await query("{ __typename }");
  expect(seen).toEqual(["parse", "execute"]);
});

test("an answer is in the order of the selection, whatever is refused at once", async () => {
  const { query } = await serve({ graphql: flat });
  const { text } = await query("{ articles { title } vaults { name } more: articles { slug } }");
  expect(text).toContain('"data":null');
  const { text: entity } = await (
    await serve({})
  ).query("{ articles { data { id } } vaults { data { id } } more: articles { data { id } } }");
  expect(entity).toContain('"data":{"articles":{"data":[]},"vaults":null,"more":{"data":[]}}');
});

test("what a foreign page could send is refused where a cookie may be read, and not where none is", async () => {
  const legacy = { jwt: { mode: "legacy" } } as const;
  const text = "{ articles { title } }";
  const form = (): RequestInit => ({ method: "POST", body: new URLSearchParams({ query: text }) });
  const lenient = await serve({ graphql: flat, auth: legacy });
  expect(await lenient.plain(text)).toMatchObject({ status: 200, body: { data: { articles: [] } } });
  expect(await lenient.plain("", form())).toMatchObject({ status: 200, body: { data: { articles: [] } } });
  const strict = [
    await serve({ graphql: flat }),
    await serve({ graphql: { ...flat, csrfPrevention: "always" }, auth: legacy }),
  ];
  for (const { plain } of strict) {
    for (const init of [undefined, form()]) {
      const refused = { status: 400, body: { errors: [{ message: expect.stringContaining("CSRF") }] } };
      expect(await plain(text, init)).toMatchObject(refused);
    }
  }
});

test("errors name what may have been meant where clients may ask about the schema, and nowhere else", async () => {
  const unknown = "{ articles { titel } }";
  const filter = "query ($f: ArticleFiltersInput) { articles(filters: $f) { title } }";
  const faults = async ({ query }: Awaited<ReturnType<typeof serve>>) =>
    [await query(unknown), await query(filter, { f: { titel: 1 } })].map(({ text }) => text.includes("Did you mean"));
  expect(await faults(await serve({ graphql: flat }))).toEqual([true, true]);
  const closed = await serve({ graphql: flat, production: true });
  expect(await faults(closed)).toEqual([false, false]);
  expect((await closed.query(unknown)).text).toContain('Cannot query field \\"titel\\" on type \\"Article\\"."');
  const server = { introspection: false, suggestions: true };
  expect(await faults(await serve({ graphql: { ...flat, server }, production: true }))).toEqual([true, true]);
});
