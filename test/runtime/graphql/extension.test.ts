import { printSchema } from "graphql";
import { expect, test } from "vitest";
import type { App } from "../../../runtime/app.ts";
import type { GraphqlExtension } from "../../../runtime/graphql/extension/service.ts";
import { schemaWith, serve } from "./world.ts";

const flat = { format: "flat" } as const;

/** The handles are typed by the generated types of a project; this one has none. */
const handle = (graphql: GraphqlExtension, uid: string) => graphql.shadow.type(uid);

const printed = (register: NonNullable<App["register"]>): string => printSchema(schemaWith({ register }, flat));

test("a disabled type takes its queries, its mutations and the relations that lead to it with it", () => {
  const text = printed(({ graphql }) => void handle(graphql, "api::author.author").disable());
  expect(text).not.toMatch(/\b[aA]uthor/);
  expect(text).toContain("type Article {");
});

test("queries, mutations and single actions can be left out", () => {
  const text = printed(({ graphql }) => {
    handle(graphql, "api::author.author").disableQueries();
    handle(graphql, "api::category.category").disableMutations();
    handle(graphql, "api::article.article").disableActions(["create", "findOne"]);
    handle(graphql, "api::vault.vault").disableAction("*");
  });
  expect(text).not.toMatch(/^ {2}(author|authors)\(/m);
  expect(text).toMatch(/^ {2}createAuthor\(/m);
  expect(text).not.toMatch(/^ {2}(create|update|delete)Category\(/m);
  expect(text).toMatch(/^ {2}categories\(/m);
  expect(text).not.toMatch(/^ {2}(createArticle|article)\(/m);
  expect(text).toMatch(/^ {2}(updateArticle|articles)\(/m);
  expect(text).not.toMatch(/^ {2}(vault|createVault|updateVault|deleteVault)\(/m);
});

test("a field can be left out of output, input and filters, each by itself", () => {
  const text = printed(({ graphql }) => {
    handle(graphql, "api::article.article").field("title").disableOutput();
    handle(graphql, "api::article.article").field("slug").disableInput();
    handle(graphql, "api::article.article").field("rating").disableFilters();
    handle(graphql, "api::author.author").field("name").disable();
  });
  const block = (start: string): string => text.slice(text.indexOf(start), text.indexOf("\n}", text.indexOf(start)));
  const has = (name: string): readonly boolean[] =>
    ["type Article {", "input ArticleInput {", "input ArticleFiltersInput {"].map((start) =>
      block(start).includes(`\n  ${name}:`),
    );
  expect(has("title")).toEqual([false, true, true]);
  expect(has("slug")).toEqual([true, false, true]);
  expect(has("rating")).toEqual([true, true, false]);
  for (const start of ["type Author {", "input AuthorInput {", "input AuthorFiltersInput {"]) {
    expect(block(start)).not.toContain("\n  name:");
  }
});

test("getters tell what was switched off", () => {
  schemaWith(
    {
      register({ graphql }) {
        const type = handle(graphql, "api::article.article");
        expect([type.isEnabled(), type.areQueriesEnabled(), type.areMutationsEnabled()]).toEqual([true, true, true]);
        expect(type.isActionEnabled("find")).toBe(true);
        const chained = type.disableQueries().disableMutations().disableAction("find");
        expect(chained).toBe(type);
        expect([type.areQueriesDisabled(), type.areMutationsDisabled(), type.isActionDisabled("find")]).toEqual([
          true,
          true,
          true,
        ]);
        expect(type.disable().isDisabled()).toBe(true);
        const field = type.field("title").disableOutput();
        expect([field.hasOutputEnabled(), field.hasInputEnabled(), field.hasFiltersEnabled()]).toEqual([
          false,
          true,
          true,
        ]);
        expect([field.isEnabled(), field.isDisabled(), field.disable().isDisabled()]).toEqual([true, false, true]);
      },
    },
    flat,
  );
});

test("types and resolvers in the schema definition language answer, through middlewares and policies", async () => {
  const calls: string[] = [];
  const app: App = {
    policies: { onlyEven: ({ args }) => Number(args["n"]) % 2 === 0 },
    middlewares: {
      note: async (next, parent, args, context, info, options) => {
        calls.push(`before ${JSON.stringify(options)}`);
        const answer = await next(parent, { ...args, n: Number(args["n"]) + 2 }, context, info);
        calls.push("after");
        return answer;
      },
    },
    register({ graphql }) {
      graphql.use({
        typeDefs: "extend type Query { double(n: Int!): Int closed: Int }",
        resolvers: { Query: { double: (_root, { n }) => Number(n) * 2, closed: () => 1 } },
        resolversConfig: {
          "Query.double": {
            auth: false,
            policies: ["onlyEven"],
            middlewares: [{ name: "note", options: { loud: true } }],
          },
        },
      });
    },
  };
  const { query } = await serve({ app, graphql: flat, caller: { kind: "public", can: () => false } });
  expect((await query("{ double(n: 4) }")).body).toEqual({ data: { double: 12 } });
  expect(calls).toEqual(['before {"loud":true}', "after"]);
  expect((await query("{ double(n: 3) }")).body).toMatchObject({
    data: { double: null },
    errors: [{ message: "Policy Failed", extensions: { code: "FORBIDDEN" } }],
  });
  expect((await query("{ closed }")).body).toMatchObject({ errors: [{ message: "Forbidden access" }] });
});

test("types made with the schema builder are part of the schema", async () => {
  const app: App = {
    register({ graphql }) {
      graphql.use(({ builder }) => {
        builder.queryField("answer", (t) => t.int({ resolve: () => 42 }));
        return { resolversConfig: { "Query.answer": { auth: { scope: "api::article.article.find" } } } };
      });
    },
  };
  const { query } = await serve({ app, graphql: flat });
  expect((await query("{ answer }")).body).toEqual({ data: { answer: 42 } });
  const stranger = await serve({ app, graphql: flat, caller: { kind: "token", can: () => false } });
  expect((await stranger.query("{ answer }")).body).toMatchObject({ errors: [{ message: "Forbidden access" }] });
});

test("a policy that nobody registered stops the start", () => {
  const app: App = {
    register({ graphql }) {
      graphql.use({ resolversConfig: { "Query.articles": { policies: ["missing"] } } });
    },
  };
  expect(() => schemaWith(app, flat)).toThrow('No policy is registered as "missing". Registered: none.');
});

test("without shadowCRUD the schema is what the application adds, and nothing else", async () => {
  const app: App = {
    register({ graphql }) {
      graphql.use({
        typeDefs: "type Query { one: Int }",
        resolvers: { Query: { one: () => 1 } },
        resolversConfig: { "Query.one": { auth: false } },
      });
    },
  };
  const { query } = await serve({ app, graphql: { ...flat, shadowCRUD: false } });
  expect((await query("{ one __schema { mutationType { name } queryType { fields { name } } } }")).body).toEqual({
    data: { one: 1, __schema: { mutationType: null, queryType: { fields: [{ name: "one" }] } } },
  });
});

test.each([
  ["GraphQL has nothing to serve", { shadowCRUD: false }, undefined],
  [
    "the GraphQL schema is not valid: Type Empty must define one or more fields.",
    {},
    {
      register: ({ graphql }) => void graphql.use({ typeDefs: "type Empty extend type Query { empty: Empty }" }),
    } satisfies App,
  ],
] as const)("what GraphQL does not allow stops the start: %s", (message, config, app) => {
  expect(() => schemaWith(app, config)).toThrow(message);
});
