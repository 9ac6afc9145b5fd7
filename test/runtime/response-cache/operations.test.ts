/** Which answers to GraphQL queries are stored, who shares them, and what they cost. */
import { expect, onTestFinished, test } from "vitest";
import example from "../../../generated/index.ts";
import type { Application } from "../../../runtime/app/application.ts";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import type { Hooks } from "../../../runtime/documents/hooks.ts";
import { defineApp } from "../../../runtime/graphql/extension/app.ts";
import type { SchemaExtension } from "../../../runtime/graphql/extension/service.ts";
import { registration, textAt } from "../../support/auth-app.ts";
import { freshDatabase, recording } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { served } from "../../support/served-app.ts";

const migrated = async (): Promise<Database> => {
  const database = await freshDatabase("pglite", onTestFinished);
  await migrate(database, "generated/migrations");
  return database;
};

const start = async (config: ConfigInput = {}, changes: Partial<Application> = {}, known?: Database) => {
  const original = known ?? (await migrated());
  const { database, statements } = recording(original);
  const asked: string[] = [];
  const snapshot = async () => {
    asked.push("snapshot");
    return original.snapshot?.();
  };
  const settings = { cache: { enabled: true }, auth: { jwt: { mode: "legacy" as const } }, ...config };
  const whole = await exampleApp(onTestFinished, { ...database, snapshot }, settings, { ...example, ...changes });
  const app = await served(whole, onTestFinished);
  await app.allowPublic("api::tag.tag.find", "api::tag.tag.findOne", "api::article.article.find");
  const secret = await app.token();
  const create = async (name: string): Promise<string> => {
    const { body } = await app.send("POST", "/api/tags", { token: secret, body: { data: { name, slug: name } } });
    return textAt(body, "data.documentId");
  };
  /** What the work runs on the database, and how often it asks for the snapshot. */
  const costOf = async (work: () => Promise<unknown>) => {
    statements.length = 0;
    asked.length = 0;
    await work();
    return { statements: statements.length, questions: asked.length };
  };
  if (!known) await create("first");
  return { ...app, secret, create, costOf };
};

const TAGS = '{ tags(sort: "name") { data { attributes { name } } meta { pagination { total } } } }';
const HIT = { statements: 0, questions: 1 };

/** Asks so often that the answer is stored, if it ever is. */
const repeat = async (work: () => Promise<unknown>): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await work();
};

test("a repeated query reads nothing and asks for the snapshot once, until something is written", async () => {
  const { graphql, create, costOf } = await start();
  const ask = () => graphql(TAGS);
  await repeat(ask);
  expect(await costOf(ask)).toEqual(HIT);
  const { text, headers } = await ask();
  expect(text).toContain('{"name":"first"}');
  expect(headers.get("etag")).toBeNull();
  await create("second");
  expect((await ask()).text).toContain("second");
  expect(await costOf(() => Promise.all([ask(), ask(), ask()]))).toMatchObject({ statements: 0 });
});

test("the values of variables, the method and the answers to HEAD are told apart, and long operations are read", async () => {
  const { graphql, send, costOf } = await start();
  const text = `query Named($name: String = "first", $page: PaginationArg, $with: Boolean = true) {
    tags(filters: { name: { eq: $name } }, pagination: $page) { data { id attributes { name @include(if: $with) } } } }`;
  const page = { page: 1, pageSize: 5 };
  await repeat(() => graphql(text, { page }));
  expect(await costOf(() => graphql(text, { page }))).toEqual(HIT);
  const parameters = new URLSearchParams({ query: text, variables: JSON.stringify({ page }) });
  const inAddress = (method: string) => send(method, `/graphql?${parameters.toString()}`);
  await repeat(() => inAddress("GET"));
  expect(await costOf(() => inAddress("GET"))).toEqual(HIT);
  expect(await costOf(() => inAddress("HEAD"))).toEqual(HIT);
  expect((await inAddress("GET")).text).toBe((await graphql(text, { page })).text);

  const shown = async (variables: object) => (await graphql(text, { page, ...variables })).text;
  for (let turn = 0; turn < 4; turn += 1) {
    expect(await shown({})).toContain('"name":"first"');
    expect(await shown({ with: false })).not.toContain("name");
    expect(await shown({ name: "other" })).toContain('"data":[]');
    expect(await shown({ name: null })).toBe((await graphql(text.replace('= "first"', ""), { page, name: null })).text);
    expect(await shown({ name: "x".repeat(20_000) })).toContain('"data":[]');
  }
});

test("operations of one document, aliases and media types of answers are told apart", async () => {
  const { graphql, send } = await start();
  const text = "query One { a: tags { data { id } } } query Two { b: tags { data { id } } }";
  const ask = (operationName: string, accept = "*/*") =>
    send("POST", "/graphql", { body: { query: text, operationName }, headers: { accept } });
  for (let turn = 0; turn < 4; turn += 1) {
    expect((await ask("One")).text).toContain('{"data":{"a":');
    expect((await ask("Two")).text).toContain('{"data":{"b":');
    expect((await ask("None")).text).toContain('Unknown operation named \\"None\\"');
    const { headers } = await ask("One", "application/graphql-response+json");
    expect(headers.get("content-type")).toBe("application/graphql-response+json; charset=utf-8");
    expect((await graphql(TAGS)).headers.get("content-type")).toBe("application/json; charset=utf-8");
  }
});

test("callers share answers only if they may do the same, and what is about the caller is never stored", async () => {
  const { graphql, send, allowUsers, allowPublic, secret, costOf } = await start({
    fields: { authenticated: { "api::tag.tag": ["name"] } },
  });
  await allowUsers("api::tag.tag.find");
  const user = async (name: string): Promise<string> =>
    textAt((await send("POST", "/api/auth/local/register", { body: registration(name) })).body, "jwt");
  const [ann, bob] = [await user("ann"), await user("bob")];
  const ask = (token?: string, query = TAGS) => graphql(query, {}, token === undefined ? {} : { token });
  for (const token of [bob, secret]) await ask(token, "{ __typename }");
  await repeat(() => ask(ann));
  expect(await costOf(() => ask(bob))).toEqual(HIT);
  expect((await costOf(() => ask())).statements).toBeGreaterThan(0);
  expect((await costOf(() => ask(secret))).statements).toBeGreaterThan(0);

  const slugs = "{ tags { data { attributes { slug } } } }";
  const me = "{ me { username } tags { data { id } } }";
  for (let turn = 0; turn < 4; turn += 1) {
    expect((await ask(undefined, slugs)).text).toContain('"slug":"first"');
    expect((await ask(ann, slugs)).text).toContain("errors");
    expect((await ask(ann, me)).text).toContain('"ann"');
    expect((await ask(bob, me)).text).toContain('"bob"');
  }
  await allowPublic("-api::tag.tag.find");
  expect((await ask()).text).toContain("Forbidden access");
});

let number = 0;
const count = (): string => String((number += 1));
const use = (extension: SchemaExtension): Partial<Application> => ({
  app: defineApp({
    register: ({ graphql }) => void graphql.use(extension),
    policies: { count: () => void count() },
  }),
});
const tagsWith = (hooks: Hooks): Partial<Application> => ({
  extensions: { ...example.extensions, "api::tag.tag": { hooks } },
});
const plugin = { onExecute: () => void count() };
const afterRead = (): { name: string } => ({ name: count() });
const NAMES = "{ tags { data { attributes { name } } } }";
const REACHED = "{ articles { data { attributes { tags { data { attributes { name } } } } } } }";
const TIMES = "{ tags { data { attributes { createdAt } } } }";
const OWN = "{ tags { data { attributes { own createdAt } } } }";

/** What an application may add, and a query that it has a part in. */
const additions: readonly (readonly [string, string, Partial<Application>, ConfigInput])[] = [
  ["a hook behind reading", NAMES, tagsWith({ afterRead }), {}],
  ["a hook behind reading that relations lead to", REACHED, tagsWith({ afterRead }), {}],
  ["a hook before reading", NAMES, tagsWith({ beforeRead: () => ({ filters: { name: { $ne: count() } } }) }), {}],
  ["a resolver", NAMES, use({ resolvers: { Tag: { name: count } } }), {}],
  ["a field", OWN, use({ typeDefs: "extend type Tag { own: String }", resolvers: { Tag: { own: count } } }), {}],
  ["a policy", NAMES, use({ resolversConfig: { "Tag.name": { policies: ["count"] } } }), {}],
  ["a scalar", TIMES, use({ resolvers: { DateTime: { __serialize: count } } }), {}],
  ["a plugin", NAMES, {}, { graphql: { server: { plugins: [plugin] } } }],
];

test("what code of the application has a part in has it run for every request", async () => {
  const database = await migrated();
  for (const [index, [what, query, changes, config]] of additions.entries()) {
    const { graphql, send, secret, create } = await start(config, changes, database);
    const tag = await create(`tag-${index}`);
    const article = { title: what, slug: `article-${index}`, tags: [tag] };
    await send("POST", "/api/articles", { token: secret, body: { data: article } });
    for (let turn = 0; turn < 5; turn += 1) {
      const before = number;
      const { text } = await graphql(query, {}, { token: secret });
      expect([text.includes("errors"), number > before], `${what}: ${text}`).toEqual([false, true]);
    }
  }
});
