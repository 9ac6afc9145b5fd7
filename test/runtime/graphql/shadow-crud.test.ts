import { type GraphQLSchema, isInputObjectType, isObjectType, isUnionType } from "graphql";
import { expect, test } from "vitest";
import type { GraphqlExtension } from "../../../runtime/graphql/extension/service.ts";
import { type GraphqlConfig, schemaWith, serve } from "./world.ts";

const formats: readonly NonNullable<GraphqlConfig["format"]>[] = ["flat", "entity"];

/** The uids are typed by the generated types of a project; this one has none. */
const handle = (graphql: GraphqlExtension, uid: string) => graphql.shadow.type(uid);

type Format = (typeof formats)[number];

const schemaOf = (format: Format, change: (graphql: GraphqlExtension) => void): GraphQLSchema =>
  schemaWith({ register: ({ graphql }) => change(graphql) }, { format });

/** The members of an object, input or union; undefined when there is no such type. */
const members = (schema: GraphQLSchema, name: string): readonly string[] | undefined => {
  const type = schema.getType(name);
  if (isUnionType(type)) return type.getTypes().map((member) => member.name);
  return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : undefined;
};

const queries = (schema: GraphQLSchema) => members(schema, "Query");
const mutations = (schema: GraphQLSchema) => members(schema, "Mutation");

/** What each action is called in the schema. */
const operations = {
  flat: { find: ["articles", "articles_connection"], findOne: ["article"] },
  entity: { find: ["articles"], findOne: ["article"] },
};
const writes = { create: "createArticle", update: "updateArticle", delete: "deleteArticle" };

test.each(formats)("%s: disable takes the type, its operations and all that leads to it", (format) => {
  const schema = schemaOf(format, (graphql) => void handle(graphql, "api::author.author").disable());
  expect(Object.keys(schema.getTypeMap()).filter((name) => name.startsWith("Author"))).toEqual([]);
  expect([queries(schema), mutations(schema)].flat().filter((name) => /author/i.test(name ?? ""))).toEqual([]);
  for (const name of ["Article", "ArticleInput", "ArticleFiltersInput", "ComponentSharedLinkInput"]) {
    expect(members(schema, name)).not.toContain("author");
    expect(members(schema, name)).not.toContain("owner");
  }
  expect(members(schema, "GenericMorph")).not.toContain("Author");
  expect(members(schema, "GenericMorph")).toContain("Article");
});

test.each(formats)("%s: disableQueries leaves the mutations, disableMutations the queries", (format) => {
  const schema = schemaOf(format, (graphql) => {
    handle(graphql, "api::article.article").disableQueries();
    handle(graphql, "api::author.author").disableMutations();
  });
  for (const name of [...operations[format].find, "article"]) expect(queries(schema)).not.toContain(name);
  expect(mutations(schema)).toEqual(expect.arrayContaining(Object.values(writes)));
  expect(queries(schema)).toEqual(expect.arrayContaining(["author", "authors"]));
  for (const name of ["createAuthor", "updateAuthor", "deleteAuthor"]) expect(mutations(schema)).not.toContain(name);
  expect(members(schema, "Article")).toContain("author");
});

test.each(formats)("%s: disableAction takes one operation", (format) => {
  const all = { ...operations[format], create: [writes.create], update: [writes.update], delete: [writes.delete] };
  const names = Object.values(all).flat();
  for (const action of ["find", "findOne", "create", "update", "delete"] as const) {
    const schema = schemaOf(format, (graphql) => void handle(graphql, "api::article.article").disableAction(action));
    const left = [...(queries(schema) ?? []), ...(mutations(schema) ?? [])].filter((name) => names.includes(name));
    expect(left.toSorted()).toEqual(names.filter((name) => !all[action].includes(name)).toSorted());
  }
});

test.each(formats)("%s: disableActions takes several, and * all", (format) => {
  const schema = schemaOf(format, (graphql) => {
    handle(graphql, "api::article.article").disableActions(["create", "delete"]);
    handle(graphql, "api::author.author").disableAction("*");
  });
  expect(mutations(schema)).toContain("updateArticle");
  expect(mutations(schema)).not.toContain("createArticle");
  expect(mutations(schema)).not.toContain("deleteArticle");
  expect([queries(schema), mutations(schema)].flat().filter((name) => /author/i.test(name ?? ""))).toEqual([]);
  expect(members(schema, "Author")).toContain("name");
});

/** In the output, the input and the filters of articles. */
const places = (schema: GraphQLSchema, name: string): readonly (boolean | undefined)[] =>
  ["Article", "ArticleInput", "ArticleFiltersInput"].map((type) => members(schema, type)?.includes(name));

test.each(formats)("%s: a field can be left out of output, input and filters, each by itself", (format) => {
  const schema = schemaOf(format, (graphql) => {
    const article = handle(graphql, "api::article.article");
    article.field("title").disableOutput();
    article.field("slug").disableInput();
    article.field("rating").disableFilters();
    article.field("views").disable();
    article.field("author").disableOutput();
    article.field("sections").disableInput();
  });
  expect(places(schema, "title")).toEqual([false, true, true]);
  expect(places(schema, "slug")).toEqual([true, false, true]);
  expect(places(schema, "rating")).toEqual([true, true, false]);
  expect(places(schema, "views")).toEqual([false, false, false]);
  expect(places(schema, "author")).toEqual([false, true, true]);
  expect(places(schema, "sections")).toEqual([true, false, false]);
});

test.each(formats)("%s: so can the fields that the system adds", (format) => {
  const identity = format === "flat" ? "documentId" : "id";
  const schema = schemaOf(format, (graphql) => {
    const article = handle(graphql, "api::article.article");
    article.field("createdAt").disableOutput();
    article.field("publishedAt").disableInput();
    article.field("updatedAt").disableFilters();
    article.field("documentId").disableFilters();
    article.field("locale").disable();
    article.field("localizations").disable();
  });
  expect(places(schema, "createdAt").slice(0, 1)).toEqual([false]);
  expect(places(schema, "publishedAt")).toEqual([true, false, true]);
  expect(places(schema, "updatedAt").at(2)).toBe(false);
  expect(places(schema, identity).at(2)).toBe(false);
  expect(members(schema, "Article")).not.toContain("locale");
  expect(members(schema, "Article")?.filter((name) => name.startsWith("localizations"))).toEqual([]);
  expect(members(schema, "ArticleFiltersInput")).not.toContain("locale");
});

test("an action or field that is switched off cannot be asked for", async () => {
  const { query } = await serve({
    graphql: { format: "flat" },
    app: {
      register({ graphql }) {
        handle(graphql, "api::article.article")
          .disableAction("findOne")
          .field("title")
          .disableOutput()
          .disableFilters();
      },
    },
  });
  for (const text of [
    '{ article(documentId: "a") { slug } }',
    "{ articles { title } }",
    '{ articles(filters: { title: { eq: "a" } }) { slug } }',
  ]) {
    expect(await query(text)).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] },
    });
  }
  expect((await query("{ articles { slug } }")).status).toBe(200);
});

test.each(formats)("%s: files can be left to REST", (format) => {
  const schema = schemaOf(format, (graphql) => void graphql.shadowCRUD("plugin::upload.file").disable());
  const all = [queries(schema), mutations(schema)].flat().filter((name) => /file|upload/i.test(name ?? ""));
  expect(all).toEqual([]);
  expect(members(schema, "Article")).not.toContain("cover");
  expect(members(schema, "ArticleInput")).not.toContain("cover");
});

test("getters of a content type tell what was switched off", () => {
  const seen: unknown[] = [];
  schemaOf("flat", (graphql) => {
    const type = handle(graphql, "api::article.article");
    const look = () =>
      seen.push([
        [type.isEnabled(), type.isDisabled()],
        [type.areQueriesEnabled(), type.areQueriesDisabled()],
        [type.areMutationsEnabled(), type.areMutationsDisabled()],
        [type.isActionEnabled("find"), type.isActionDisabled("find")],
        [type.isActionEnabled("update"), type.isActionDisabled("update")],
      ]);
    look();
    expect(type.disableAction("find")).toBe(type);
    look();
    expect(type.disableQueries().disableMutations().disableActions(["update"]).disable()).toBe(type);
    look();
  });
  const [on, off] = [
    [true, false],
    [false, true],
  ];
  expect(seen).toEqual([
    [on, on, on, on, on],
    [on, on, on, off, on],
    [off, off, off, off, off],
  ]);
});

test("getters of a field tell what was switched off", () => {
  schemaOf("flat", (graphql) => {
    const type = handle(graphql, "api::article.article");
    const look = (name: string) => {
      const field = type.field(name);
      expect(field.hasFiltersEnabeld()).toBe(field.hasFiltersEnabled());
      expect(field.isDisabled()).toBe(!field.isEnabled());
      return [field.isEnabled(), field.hasOutputEnabled(), field.hasInputEnabled(), field.hasFiltersEnabled()];
    };
    expect(look("title")).toEqual([true, true, true, true]);
    type.field("title").disableOutput();
    expect(look("title")).toEqual([true, false, true, true]);
    type.field("title").disableInput().disableFilters();
    expect(look("title")).toEqual([false, false, false, false]);
    type.field("slug").disable();
    expect(look("slug")).toEqual([false, false, false, false]);
  });
});

/** As code does that no compiler has looked at. */
const unchecked = (graphql: GraphqlExtension): { shadowCRUD(uid: string): ReturnType<typeof handle> } =>
  graphql as never;

test.each<[string, (graphql: GraphqlExtension) => unknown]>([
  [
    'there is no content type "api::artcle.article". Did you mean "api::article.article"?',
    (graphql) => unchecked(graphql).shadowCRUD("api::artcle.article"),
  ],
  [
    'there is no field of api::article.article called "titel". Did you mean "title"?',
    (graphql) => unchecked(graphql).shadowCRUD("api::article.article").field("titel"),
  ],
  [
    'there is no action "remove".',
    (graphql) =>
      unchecked(graphql)
        .shadowCRUD("api::article.article")
        .disableAction("remove" as never),
  ],
  [
    'there is no field for resolversConfig "Query.artcles". Did you mean "Query.articles"?',
    (graphql) => graphql.use({ resolversConfig: { "Query.artcles": { auth: { scope: "x" } } } }),
  ],
])("a name that is not there stops the start: %s", (message, change) => {
  expect(() => schemaOf("flat", change)).toThrow(message);
});
