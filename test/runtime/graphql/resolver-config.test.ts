import { beforeAll, expect, test } from "vitest";
import type { Caller } from "../../../runtime/access/caller.ts";
import type { Database } from "../../../runtime/database/database.ts";
import type { App } from "../../../runtime/graphql/extension/app.ts";
import type { Middleware, ResolverConfig } from "../../../runtime/graphql/extension/resolver-config.ts";
import type { SchemaExtension } from "../../../runtime/graphql/extension/service.ts";
import { articles, documentsOf, formats, nobody, seededDatabase, serveWith } from "./articles.ts";
import { schemaWith, serve } from "./world.ts";

const flat = { format: "flat" } as const;

let database: Database;
beforeAll(async () => {
  database = await seededDatabase();
});

test.each<[string, ResolverConfig]>([
  ['No policy is registered as "missing". Registered: known.', { policies: ["missing"] }],
  ['No policy is registered as "missing". Registered: known.', { policies: [{ name: "missing", config: 1 }] }],
  ['No middleware is registered as "known". Registered: none.', { middlewares: ["known"] }],
])("a handler that nobody registered stops the start: %s", (message, config) => {
  const app: App = {
    policies: { known: () => true },
    register: ({ graphql }) => void graphql.use({ resolversConfig: { "Query.articles": config } }),
  };
  expect(() => schemaWith(app, flat)).toThrow(message);
});

const allowed = (actions: readonly string[]): Caller => ({
  kind: "token",
  can: (action) => actions.includes(action),
});

test.each(formats)("%s: rules decide who may call what was generated", async (format) => {
  const asked = async (auth: ResolverConfig["auth"], caller: Caller): Promise<boolean> => {
    const config: ResolverConfig = auth === undefined ? {} : { auth };
    const { query } = await serveWith(database, { resolversConfig: { "Query.articles": config } }, format, caller);
    return !(await query(articles(format, "title"))).text.includes("Forbidden access");
  };
  const FIND = "api::article.article.find";
  expect(await asked(undefined, nobody)).toBe(false);
  expect(await asked(undefined, allowed([FIND]))).toBe(true);
  expect(await asked(false, nobody)).toBe(true);
  expect(await asked({ scope: "other" }, allowed([FIND]))).toBe(false);
  expect(await asked({ scope: "other" }, allowed(["other"]))).toBe(true);
  expect(await asked({ scope: ["other", "more"] }, allowed(["other"]))).toBe(false);
  expect(await asked({ scope: ["other", "more"] }, allowed(["other", "more"]))).toBe(true);
});

const withThing = (resolversConfig: Readonly<Record<string, ResolverConfig>>): App => ({
  register({ graphql }) {
    graphql.use({
      typeDefs: "type Thing { name: String } extend type Query { thing: Thing }",
      resolvers: { Query: { thing: () => ({ name: "x" }) } },
      resolversConfig,
    });
  },
});

const ask = async (rules: Readonly<Record<string, ResolverConfig>>, caller: Caller) =>
  (await (await serve({ graphql: flat, app: withThing(rules), caller })).query("{ thing { name } }")).body;

test("a field below the root is open unless a rule says otherwise; a field of Query takes somebody who is known", async () => {
  const known: Caller = { kind: "user", can: () => false };
  expect(await ask({}, known)).toEqual({ data: { thing: { name: "x" } } });
  expect(await ask({}, nobody)).toMatchObject({ data: { thing: null }, errors: [{ path: ["thing"] }] });
  expect(await ask({ "Thing.name": { auth: { scope: "s" } } }, known)).toMatchObject({
    data: { thing: { name: null } },
    errors: [{ path: ["thing", "name"], extensions: { code: "FORBIDDEN" } }],
  });
});

test.each(formats)("%s: what a rule hides cannot be found out by filters and sorts", async (format) => {
  const reader: Caller = { kind: "token", can: (action) => action.startsWith("api::") };
  const graded: Caller = { kind: "token", can: (action) => action.startsWith("api::") || action === "grade" };
  const rules: Readonly<Record<string, ResolverConfig>> = {
    "Article.slug": { policies: [() => false] },
    "Article.rating": { auth: { scope: "grade" } },
    "Author.age": { policies: [() => true] },
    "ComponentSharedLink.amount": { policies: [() => false] },
    "Article.title": {
      middlewares: [(next, parent, args, context, info) => next(parent, args, context, info)],
    },
  };
  const asked = async (args: string, caller: Caller) => {
    const { query } = await serveWith(database, { resolversConfig: rules }, format, caller);
    return (await query(articles(format, "title").replace("articles", `articles(${args})`))).body;
  };
  const forbidden = { errors: [{ message: "Forbidden access", extensions: { code: "FORBIDDEN" } }] };
  for (const args of [
    'filters: { slug: { eq: "first" } }',
    "filters: { or: [{ not: { and: [{ slug: { null: true } }] } }] }",
    "filters: { rating: { gt: 1 } }",
    "filters: { author: { age: { gt: 1 } } }",
    "filters: { author: { articles: { rating: { gt: 1 } } } }",
    "filters: { localizations: { rating: { gt: 1 } } }",
    "filters: { links: { amount: { gt: 1 } } }",
    'sort: "slug"',
    'sort: ["title", "slug:desc"]',
    'sort: "title,rating:desc"',
    'sort: "author.age"',
  ]) {
    expect(await asked(args, reader), args).toMatchObject(forbidden);
  }
  expect(await asked('filters: { title: { eq: "First" } }, sort: "title"', reader)).not.toHaveProperty("errors");
  expect(await asked("filters: { rating: { gt: 1 } }", graded)).not.toHaveProperty("errors");
  const nested = format === "flat" ? "{ title }" : "{ data { attributes { title } } }";
  const { query } = await serveWith(database, { resolversConfig: rules }, format, reader);
  const related = await query(articles(format, `related(sort: "rating") ${nested}`));
  expect(related.body).toMatchObject(forbidden);
});

test("permission comes first, then middlewares from the outside in, then policies, then the resolver", async () => {
  const calls: string[] = [];
  const through =
    (name: string): Middleware =>
    async (next, parent, args, context, info, options) => {
      calls.push(`${name} ${JSON.stringify(options)}`);
      const answer = await next(parent, args, context, info);
      calls.push(`${name} after`);
      return answer;
    };
  const app: App = {
    middlewares: { named: through("named"), configured: through("configured") },
    policies: {
      named: (on, config) => {
        if (on.type !== "graphql") return;
        const { type, info, http, state, context } = on;
        calls.push(
          `policy ${JSON.stringify(config)} ${type} ${info.fieldName} ${http.method} ${state.caller === context.caller}`,
        );
      },
    },
    register({ graphql }) {
      graphql.use({
        typeDefs: "extend type Query { it: Int }",
        resolvers: { Query: { it: () => calls.push("resolver") } },
        resolversConfig: {
          "Query.it": {
            middlewares: [through("function"), "named", { name: "configured", options: { deep: 1 } }],
            policies: [() => true, "named", { name: "named", config: { strict: true } }],
          },
        },
      });
    },
  };
  await (await serve({ graphql: flat, app })).query("{ it }");
  expect(calls).toEqual([
    "function {}",
    "named {}",
    'configured {"deep":1}',
    "policy {} graphql it POST true",
    'policy {"strict":true} graphql it POST true',
    "resolver",
    "configured after",
    "named after",
    "function after",
  ]);
  calls.length = 0;
  const { query } = await serve({ graphql: flat, app, caller: nobody });
  expect((await query("{ it }")).body).toMatchObject({ errors: [{ message: "Forbidden access" }] });
  expect(calls).toEqual([]);
});

test.each(formats)(
  "%s: middlewares work on generated fields at any depth, and may answer themselves",
  async (format) => {
    const extension: SchemaExtension = {
      resolversConfig: {
        "Article.title": {
          middlewares: [
            async (next, ...rest) => `<${String(await next(...(rest.slice(0, 4) as Parameters<typeof next>)))}>`,
          ],
        },
        "Article.slug": { middlewares: [() => "hidden"] },
        "Query.articles": {
          middlewares: [
            (next, parent, args, context, info) => next(parent, { ...args, pagination: { limit: 1 } }, context, info),
          ],
        },
      },
    };
    const { query } = await serveWith(database, extension, format);
    const found = documentsOf(format, (await query(articles(format, "title slug"))).body);
    expect(found).toEqual([{ title: expect.stringMatching(/^<.+>$/), slug: "hidden" }]);
  },
);

test.each<[unknown, boolean]>([
  [true, true],
  [undefined, true],
  [false, false],
  [null, false],
  [1, false],
  [{}, false],
])("a policy that answers %j lets the request pass: %s", async (verdict, passes) => {
  const app: App = {
    register({ graphql }) {
      graphql.use({ resolversConfig: { "Query.articles": { policies: [async () => verdict] } } });
    },
  };
  const { query } = await serve({ graphql: flat, app });
  const { body } = await query("{ articles { title } }");
  if (passes) expect(body).toEqual({ data: { articles: [] } });
  else expect(body).toMatchObject({ errors: [{ message: "Policy Failed", extensions: { code: "FORBIDDEN" } }] });
});
