import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from "@pothos/core";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../runtime/database/database.ts";
import type { App } from "../../../runtime/graphql/extension/app.ts";
import type { SchemaExtension, SchemaExtensionFunction } from "../../../runtime/graphql/extension/service.ts";
import { articles, documentsOf, formats, nobody, seededDatabase, serveWith } from "./articles.ts";
import { schemaWith, serve } from "./world.ts";

const flat = { format: "flat" } as const;

let database: Database;
beforeAll(async () => {
  database = await seededDatabase();
});

test("types and resolvers in the schema definition language answer, through middlewares and policies", async () => {
  const calls: string[] = [];
  const app: App = {
    policies: { onlyEven: (on) => on.type === "graphql" && Number(on.args["n"]) % 2 === 0 },
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

test.each(formats)(
  "%s: a field of a generated type is made from its attributes, and never from hidden ones",
  async (format) => {
    const seen = new Set<string>();
    const extension: SchemaExtensionFunction = ({ builder }) => {
      builder.objectField("Article", "loud", (t) =>
        t.string({
          resolve: (article) => {
            for (const name of Object.keys(article)) seen.add(name);
            return article.title.toUpperCase();
          },
        }),
      );
      return {
        typeDefs: "extend type Article { stars: Int }",
        resolvers: { Article: { stars: (article) => Number(Reflect.get(Object(article), "rating")) + 1 } },
      };
    };
    const { query } = await serveWith(database, extension, format);
    const [first] = documentsOf(
      format,
      (await query(articles(format, "title rating loud stars", '(sort: "title")'))).body,
    );
    expect(first?.["title"]).toEqual(expect.any(String));
    expect(first?.["loud"]).toBe(String(first?.["title"]).toUpperCase());
    expect(first?.["stars"]).toBe(Number(first?.["rating"]) + 1);
    expect([...seen]).toContain("slug");
    for (const hidden of ["secret", "pin"]) expect([...seen]).not.toContain(hidden);
  },
);

const boxes: SchemaExtensionFunction = ({ builder }) => {
  const Side = builder.enumType("Side", { values: ["LEFT", "RIGHT"] as const });
  const Box = builder.objectRef<{ readonly side: "LEFT" | "RIGHT" }>("Box").implement({
    fields: (t) => ({
      side: t.expose("side", { type: Side }),
      article: t.field({ type: "Article", resolve: () => ({ title: "boxed" }) as never }),
    }),
  });
  const BoxInput = builder.inputType("BoxInput", {
    fields: (t) => ({ side: t.field({ type: Side, required: true }) }),
  });
  const field = builder.mutationField("box", (t) =>
    t.field({
      type: Box,
      args: { input: t.arg({ type: BoxInput, required: true }) },
      resolve: (_root, { input }) => input,
    }),
  );
  return { types: [Side, Box, BoxInput, field], resolversConfig: { "Mutation.box": { auth: false } } };
};

test.each(formats)("%s: types of one's own may refer to generated ones", async (format) => {
  const { query } = await serveWith(database, boxes, format, nobody);
  expect((await query("mutation { box(input: { side: LEFT }) { side article { title } } }")).body).toEqual({
    data: { box: { side: "LEFT", article: { title: "boxed" } } },
  });
});

test("a plugin of the schema builder takes part in building", () => {
  const built: string[] = [];
  class Witness extends BasePlugin<SchemaTypes> {
    override onOutputFieldConfig(config: PothosOutputFieldConfig<SchemaTypes>) {
      if (config.parentType === "Query") built.push(config.name);
      return config;
    }
  }
  SchemaBuilder.registerPlugin("witness" as never, Witness as never);
  schemaWith({ register: ({ graphql }) => void graphql.use({ plugins: ["witness"] }) }, flat);
  expect(built).toContain("articles");
});

test.each(formats)("%s: resolvers take the place of generated ones, which keep their permission", async (format) => {
  const extension: SchemaExtension = {
    resolvers: { Query: { article: { resolve: () => null } }, Article: { title: () => "replaced" } },
  };
  const { query } = await serveWith(database, extension, format);
  const found = documentsOf(format, (await query(articles(format, "title slug"))).body);
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found.map(({ title }) => title))).toEqual(new Set(["replaced"]));
  const one = format === "flat" ? '{ article(documentId: "a1") { slug } }' : '{ article(id: "a1") { data { id } } }';
  expect((await query(one)).body).toEqual({ data: { article: null } });
  const stranger = await serveWith(database, extension, format, nobody);
  expect((await stranger.query(one)).body).toMatchObject({ errors: [{ message: "Forbidden access" }] });
});

test("extensions are merged in order: later resolvers win, and so do earlier rules", async () => {
  const { query } = await serve({
    graphql: flat,
    caller: nobody,
    app: {
      register({ graphql }) {
        graphql
          .use({
            typeDefs: "extend type Query { a: Int b: Int }",
            resolvers: { Query: { a: () => 1, b: () => 1 } },
            resolversConfig: { "Query.a": { auth: false } },
          })
          .use(() => ({
            resolvers: { Query: { b: () => 2 } },
            resolversConfig: { "Query.a": { auth: { scope: "never" } }, "Query.b": { auth: false } },
          }));
      },
    },
  });
  expect((await query("{ a b }")).body).toEqual({ data: { a: 1, b: 2 } });
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
