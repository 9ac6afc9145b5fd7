import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildModel } from "../../generator/model/build.ts";
import { attributeIn, component, componentIn, contentType, modelOf, typeIn } from "../support/schema-files.ts";

const string = { type: "string" };

test("content types and components get every name that they are known by", () => {
  const model = modelOf(contentType("blog-post", { title: string }), component("shared.hero-image", { alt: string }));
  expect(typeIn(model, "blog-post").names).toEqual({
    folder: "blog-post",
    table: "blog_posts",
    tableConst: "blogPosts",
    relationsConst: "blogPostsRelations",
    typeConst: "blogPost",
    interface: "BlogPost",
    graphql: "BlogPost",
    graphqlOne: "blogPost",
    graphqlMany: "blogPosts",
    schemaConst: "blogPostSchema",
    draftConst: "blogPostDraft",
    input: "BlogPostInput",
    routesConst: "blogPostRoutes",
    graphqlConst: "blogPostGraphql",
    extensionConst: "blogPostExtension",
  });
  expect(componentIn(model, "shared.hero-image").names).toEqual({
    path: "components/shared/hero-image",
    interface: "SharedHeroImage",
    typeConst: "sharedHeroImage",
    schemaConst: "sharedHeroImageSchema",
    entryConst: "sharedHeroImageEntry",
    draftConst: "sharedHeroImageDraft",
    draftEntryConst: "sharedHeroImageDraftEntry",
    graphql: "ComponentSharedHeroImage",
    graphqlConst: "sharedHeroImageGraphql",
  });
  expect(typeIn(model, "user").names).toMatchObject({
    folder: "users-permissions/user",
    table: "up_users",
    typeConst: "usersPermissionsUser",
    graphql: "UsersPermissionsUser",
    graphqlMany: "usersPermissionsUsers",
  });
});

test("no two names of a project are the same", () => {
  const model = modelOf(
    contentType("shared-seo", { title: string }),
    contentType("global", { title: string }, { collectionName: "global" }),
    contentType("default", { title: string }),
    contentType("promise", { title: string }),
    component("shared.seo", { title: string }),
    component("a-b.c", { title: string }),
    component("a.b-c", { title: string }),
  );
  const constants = [
    ...model.contentTypes.flatMap(({ names }) => [
      names.tableConst,
      names.typeConst,
      names.interface,
      names.schemaConst,
      names.routesConst,
    ]),
    ...model.components.flatMap(({ names }) => [names.typeConst, names.interface, names.schemaConst]),
  ];
  expect(constants).toEqual([...new Set(constants)]);
  expect(typeIn(model, "default").names.typeConst).toBe("defaultType");
  expect(typeIn(model, "global").names).toMatchObject({ typeConst: "global", tableConst: "globalTable" });
  expect(typeIn(model, "promise").names.interface).toBe("PromiseDocument");
  expect(componentIn(model, "shared.seo").names.interface).toBe("ComponentSharedSeo");
});

test("a table that the server has itself is left to the server", () => {
  const model = modelOf(contentType("document", { title: string }), contentType("file", { title: string }));
  expect(typeIn(model, "document").names.table).toBe("content_documents");
  expect(typeIn(model, "file").names.table).toBe("content_files");
});

test("identifiers beyond 63 bytes are cut so that they stay apart", () => {
  const long = "a".repeat(60);
  const model = modelOf(
    contentType(
      "article",
      {
        [`${long}One`]: { type: "media", multiple: true },
        [`${long}Two`]: { type: "media", multiple: true },
        [`${long}Three`]: string,
      },
      { collectionName: "b".repeat(70) },
    ),
  );
  const article = typeIn(model, "article");
  const tables = [`${long}One`, `${long}Two`].map((name) => {
    const { storage } = attributeIn(article, name, "media");
    return storage?.kind === "link" ? storage.table : "";
  });
  const names = [article.names.table, ...tables, attributeIn(article, `${long}Three`, "scalar").column];
  expect(names.map((name) => name.length)).toEqual([63, 63, 63, 63]);
  expect(new Set(names).size).toBe(4);
});

test("columns and keys that are made from names give way to attributes", () => {
  const model = modelOf(
    contentType("article", {
      cover: { type: "media" },
      coverId: { type: "integer" },
      author: { type: "relation", relation: "manyToOne", target: "api::author.author", inversedBy: "articles" },
      authorPosition: { type: "integer" },
    }),
    contentType("author", {
      articles: { type: "relation", relation: "oneToMany", target: "api::article.article", mappedBy: "author" },
    }),
  );
  const article = typeIn(model, "article");
  expect(attributeIn(article, "cover", "media").storage).toMatchObject({ column: "cover_id" });
  expect(attributeIn(article, "coverId", "scalar").column).toBe("cover_id_2");
  expect(attributeIn(article, "authorPosition", "scalar").column).toBe("author_position");
  expect(attributeIn(article, "author", "relation").storage).toMatchObject({
    positionColumn: "author_position_2",
    positionKey: "authorPosition_2",
  });
});

test("a link table gives way to the table of a content type", () => {
  const model = modelOf(
    contentType("article", { photos: { type: "media", multiple: true } }),
    contentType("photo", { title: string }, { collectionName: "articles_photos" }),
  );
  expect(attributeIn(typeIn(model, "article"), "photos", "media").storage).toMatchObject({
    table: "articles_photos_links",
  });
});

test("options of attributes reach the model as they are meant", () => {
  const visible = { "==": [{ var: "kind" }, "news"] };
  const model = modelOf(
    contentType(
      "article",
      {
        title: {
          ...string,
          required: true,
          unique: true,
          maxLength: 120,
          pluginOptions: { i18n: { localized: true } },
        },
        secret: { ...string, private: true, writable: false, searchable: false },
        hidden: string,
        rating: { type: "decimal", min: "0", max: 5, default: 2.5 },
        views: { type: "biginteger", min: 0, max: "9007199254740993" },
        featured: { type: "boolean", default: null },
        teaser: { type: "text", conditions: { visible } },
        slug: { type: "uid", targetField: "title", regex: "^[a-z-]+$" },
        lead: { ...string, renamedFrom: "intro", required: null },
      },
      {
        options: { draftAndPublish: true, privateAttributes: ["hidden", "createdAt"] },
        pluginOptions: { i18n: { localized: true } },
      },
    ),
  );
  const article = typeIn(model, "article");
  expect(article).toMatchObject({ draftAndPublish: true, localized: true, privateFields: ["createdAt"] });
  const scalar = (name: string) => attributeIn(article, name, "scalar");
  expect(scalar("title")).toMatchObject({
    required: true,
    unique: true,
    maxLength: 120,
    localized: true,
    writable: true,
  });
  expect(scalar("secret")).toMatchObject({ private: true, writable: false, searchable: false, localized: false });
  expect(scalar("hidden").private).toBe(true);
  expect(scalar("rating")).toMatchObject({ min: 0, max: 5, default: 2.5 });
  expect(scalar("views")).toMatchObject({ min: 0, max: "9007199254740993", default: undefined });
  expect(scalar("featured").default).toBeNull();
  expect(scalar("teaser").condition).toEqual(visible);
  expect(scalar("slug")).toMatchObject({ targetField: "title", regex: "^[a-z-]+$" });
  expect(scalar("lead")).toMatchObject({ renamedFrom: "intro", required: false });
});

test("enumerations are shown in GraphQL by names that it can read", () => {
  const kind = { type: "enumeration", enum: ["how-to", "how to", "24h", "true", "новости", "News", "News"] };
  const model = modelOf(contentType("article", { kind, mood: { type: "enumeration", enum: ["a"], enumName: "Mood" } }));
  const article = typeIn(model, "article");
  expect(attributeIn(article, "kind", "scalar").graphqlEnum).toEqual({
    name: "ENUM_ARTICLE_KIND",
    members: [
      { name: "how_to", value: "how-to" },
      { name: "how_to_2", value: "how to" },
      { name: "_24h", value: "24h" },
      { name: "_true", value: "true" },
      { name: "novosti", value: "новости" },
      { name: "News", value: "News" },
    ],
  });
  expect(attributeIn(article, "mood", "scalar").graphqlEnum?.name).toBe("Mood");
});

test("whatever text a schema carries arrives unharmed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (displayName, value) => {
      const odd = `"'\`*/ \${x}\n\u2028😀${value}`;
      const model = modelOf(
        contentType(
          "article",
          { title: { ...string, default: odd }, kind: { type: "enumeration", enum: [odd], default: odd } },
          { info: { singularName: "article", pluralName: "articles", displayName: displayName + odd } },
        ),
      );
      const article = typeIn(model, "article");
      expect(article.displayName).toBe(displayName + odd);
      expect(attributeIn(article, "title", "scalar").default).toBe(odd);
      expect(attributeIn(article, "kind", "scalar").enum).toEqual([odd]);
    }),
  );
});

test("the order of the files makes no difference", () => {
  const files = [
    contentType("article", {
      seo: { type: "component", component: "shared.seo" },
      tags: { type: "relation", relation: "manyToMany", target: "api::tag.tag", inversedBy: "articles" },
      photos: { type: "media", multiple: true },
      body: { type: "customField", customField: "plugin::x.y" },
    }),
    contentType("tag", {
      articles: { type: "relation", relation: "manyToMany", target: "api::article.article", inversedBy: "tags" },
      more: { type: "relation", relation: "manyToMany", target: "api::article.article", mappedBy: "tags" },
      body: { type: "customField", customField: "plugin::x.y" },
    }),
    contentType("shared-seo", { title: string }),
    contentType("query", { title: string }),
    component("shared.seo", { title: string }),
    component("a-b.c", { title: string }),
    component("a.b-c", { title: string }),
  ];
  const expected = buildModel(files);
  fc.assert(
    fc.property(fc.shuffledSubarray(files, { minLength: files.length }), (shuffled) => {
      expect(buildModel(shuffled)).toEqual(expected);
    }),
  );
});

test("a schema file of users replaces the built-in one, but for what the server depends on", () => {
  const user = contentType("user", { nickname: string, confirmed: { type: "boolean", default: true } });
  const model = modelOf({ ...user, uid: "plugin::users-permissions.user" });
  const attributes = typeIn(model, "user").attributes;
  expect(attributes.map(({ name }) => name)).toEqual([
    "nickname",
    "confirmed",
    "username",
    "email",
    "provider",
    "password",
    "resetPasswordToken",
    "confirmationToken",
    "blocked",
    "role",
  ]);
  expect(attributeIn(typeIn(model, "user"), "confirmed", "scalar").default).toBe(true);
  expect(attributeIn(typeIn(model, "role"), "users", "relation").storage).toEqual({ kind: "inverse", by: "role" });
});
