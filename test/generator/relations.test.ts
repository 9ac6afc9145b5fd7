import { expect, test } from "vitest";
import {
  attributeIn,
  component,
  componentIn,
  contentType,
  diagnosticsOf,
  modelOf,
  typeIn,
} from "../support/schema-files.ts";

const relation = (kind: string, target: string | undefined, rest: Record<string, unknown> = {}) => ({
  type: "relation",
  relation: kind,
  ...(target === undefined ? {} : { target: `api::${target}.${target}` }),
  ...rest,
});

const storageOf = (model: ReturnType<typeof modelOf>, type: string, attribute: string) =>
  attributeIn(typeIn(model, type), attribute, "relation").storage;

test("a manyToOne seen as a list is a column that keeps its place in that list", () => {
  const model = modelOf(
    contentType("article", { author: relation("manyToOne", "author", { inversedBy: "articles" }) }),
    contentType("author", { articles: relation("oneToMany", "article", { mappedBy: "author" }) }),
  );
  expect(attributeIn(typeIn(model, "article"), "author", "relation")).toMatchObject({
    many: false,
    inverse: "articles",
    storage: {
      kind: "column",
      column: "author_document_id",
      positionColumn: "author_position",
      positionKey: "authorPosition",
      typeColumn: undefined,
    },
  });
  expect(attributeIn(typeIn(model, "author"), "articles", "relation")).toMatchObject({
    many: true,
    storage: { kind: "inverse", by: "author" },
  });
});

test("a one-way manyToOne and a two-way oneToOne keep no place", () => {
  const model = modelOf(
    contentType("article", {
      author: relation("manyToOne", "author"),
      summary: relation("oneToOne", "summary", { inversedBy: "article" }),
    }),
    contentType("author", { name: { type: "string" } }),
    contentType("summary", { article: relation("oneToOne", "article", { mappedBy: "summary" }) }),
  );
  expect(storageOf(model, "article", "author")).toMatchObject({ kind: "column", positionColumn: undefined });
  expect(storageOf(model, "article", "summary")).toMatchObject({ kind: "column", positionColumn: undefined });
  expect(storageOf(model, "summary", "article")).toEqual({ kind: "inverse", by: "summary" });
});

test("a manyToMany is a link table of the inversedBy side, ordered on both sides", () => {
  const model = modelOf(
    contentType("article", { tags: relation("manyToMany", "tag", { inversedBy: "articles" }) }),
    contentType("tag", { articles: relation("manyToMany", "article", { mappedBy: "tags" }) }),
  );
  expect(storageOf(model, "article", "tags")).toEqual({
    kind: "link",
    table: "articles_tags",
    tableConst: "articlesTags",
    relationsConst: "articlesTagsRelations",
    inverseOrdered: true,
  });
  expect(storageOf(model, "tag", "articles")).toEqual({ kind: "inverse", by: "tags" });
});

test("a oneToMany and a manyToMany without another side are link tables of their own", () => {
  const model = modelOf(
    contentType("article", { links: relation("oneToMany", "tag"), tags: relation("manyToMany", "tag") }),
    contentType("tag", { name: { type: "string" } }),
  );
  expect(storageOf(model, "article", "links")).toMatchObject({ table: "articles_links", inverseOrdered: false });
  expect(storageOf(model, "article", "tags")).toMatchObject({ table: "articles_tags", inverseOrdered: false });
});

test("morph relations keep the type of what they point to, and their other side keeps nothing", () => {
  const model = modelOf(
    contentType("article", { comments: relation("morphMany", "comment", { morphBy: "subject" }) }),
    contentType("comment", {
      subject: relation("morphToOne", undefined),
      mentions: relation("morphToMany", undefined),
    }),
  );
  const comment = typeIn(model, "comment");
  expect(attributeIn(comment, "subject", "relation")).toMatchObject({
    target: undefined,
    graphqlUnion: "CommentSubjectMorph",
    storage: { kind: "column", column: "subject_document_id", typeColumn: "subject_type", typeKey: "subjectType" },
  });
  expect(attributeIn(comment, "mentions", "relation").storage).toMatchObject({ table: "comments_mentions" });
  expect(storageOf(model, "article", "comments")).toEqual({ kind: "inverse", by: "subject" });
});

test("a content type may be related to itself", () => {
  const model = modelOf(
    contentType("page", {
      parent: relation("manyToOne", "page", { inversedBy: "children" }),
      children: relation("oneToMany", "page", { mappedBy: "parent" }),
    }),
  );
  expect(storageOf(model, "page", "parent")).toMatchObject({ kind: "column", positionColumn: "parent_position" });
  expect(storageOf(model, "page", "children")).toEqual({ kind: "inverse", by: "parent" });
});

test("of two sides that both say inversedBy the first by uid stores the relation", () => {
  const files = [
    contentType("tag", { articles: relation("manyToMany", "article", { inversedBy: "tags" }) }),
    contentType("article", { tags: relation("manyToMany", "tag", { inversedBy: "articles" }) }),
  ];
  const model = modelOf(...files);
  expect(storageOf(model, "article", "tags")).toMatchObject({ kind: "link", inverseOrdered: true });
  expect(storageOf(model, "tag", "articles")).toEqual({ kind: "inverse", by: "tags" });
  expect(diagnosticsOf(...files).map(({ code }) => code)).toEqual(["CMS2107"]);
});

test("a list mapped by a one-way relation is its other side, be that manyToOne or oneToOne", () => {
  for (const kind of ["manyToOne", "oneToOne"]) {
    const model = modelOf(
      contentType("article", { author: relation(kind, "author") }),
      contentType("author", { articles: relation("oneToMany", "article", { mappedBy: "author" }) }),
    );
    expect(storageOf(model, "article", "author")).toMatchObject({ positionColumn: "author_position" });
    expect(storageOf(model, "author", "articles")).toEqual({ kind: "inverse", by: "author" });
    // Several articles may have one author.
    const article = model.contentTypes.find(({ singularName }) => singularName === "article");
    expect(article?.attributes.find(({ name }) => name === "author")).toMatchObject({ relation: "manyToOne" });
  }
});

test("a relation whose other side is missing or of another kind is stored by itself", () => {
  const model = modelOf(
    contentType("article", { tags: relation("manyToMany", "tag", { mappedBy: "nothing" }) }),
    contentType("tag", { articles: relation("oneToMany", "article", { mappedBy: "tags" }) }),
  );
  expect(storageOf(model, "article", "tags")).toMatchObject({ kind: "link", inverseOrdered: false });
  expect(storageOf(model, "tag", "articles")).toMatchObject({ kind: "link", table: "tags_articles" });
});

test("relations inside components are stored nowhere else, and point one way", () => {
  const model = modelOf(
    contentType("article", { teaser: { type: "component", component: "shared.teaser" } }),
    component("shared.teaser", {
      article: relation("oneToOne", "article", { inversedBy: "teaser" }),
      articles: relation("morphMany", "article", { morphBy: "x" }),
    }),
  );
  const teaser = componentIn(model, "shared.teaser");
  expect(attributeIn(teaser, "article", "relation")).toMatchObject({ storage: undefined, inverse: undefined });
  expect(attributeIn(teaser, "articles", "relation")).toMatchObject({ relation: "oneToMany", storage: undefined });
});

test("a relation to files is a media attribute", () => {
  const model = modelOf(
    contentType("article", {
      cover: { type: "relation", relation: "oneToOne", target: "plugin::upload.file", required: true },
      photos: { type: "relation", relation: "manyToMany", target: "plugin::upload.file" },
    }),
  );
  const article = typeIn(model, "article");
  expect(attributeIn(article, "cover", "media")).toMatchObject({ multiple: false, required: true });
  expect(attributeIn(article, "photos", "media")).toMatchObject({
    multiple: true,
    storage: { table: "articles_photos" },
  });
});

test("relations to the admin's users and to plugins that are not here are left out", () => {
  const model = modelOf(
    contentType("article", {
      title: { type: "string" },
      editor: { type: "relation", relation: "oneToOne", target: "admin::user" },
      locale_: { type: "relation", relation: "oneToOne", target: "plugin::i18n.locale" },
      owner: { type: "relation", relation: "manyToOne", target: "plugin::users-permissions.user" },
    }),
  );
  expect(typeIn(model, "article").attributes.map(({ name }) => name)).toEqual(["title", "owner"]);
});
