/** What the types of the document service promise of an answer is what is read; test/types/document-answers.ts has the types. */
import { onTestFinished, expect, test } from "vitest";
import type { Article } from "../../../generated/article/document.ts";
import application from "../../../generated/index.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { createDocuments } from "../../../runtime/documents/create-documents.ts";
import type { Read } from "../../../runtime/schema/typed/index.ts";
import { freshDatabase } from "../../support/database.ts";
import { testServices } from "../../support/services.ts";

const open = async () => {
  const database = await freshDatabase("postgres", onTestFinished);
  await migrate(database, "generated/migrations");
  const config = { locales: { default: "en", codes: ["en", "de"] } };
  return createDocuments(await testServices(application, { database, config }));
};

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const document = { id: expect.any(Number), documentId: expect.any(String) };
const system = { ...document, createdAt: instant, updatedAt: instant, publishedAt: instant };

test("answers hold what their types promise", async () => {
  const documents = await open();
  const articles = documents("api::article.article");

  const ada = await documents("api::author.author").create({
    data: {
      name: "Ada",
      slug: "ada",
      email: "ada@example.com",
      links: [{ label: "Home", url: "https://example.com" }],
    },
  });
  // A private attribute is in no answer.
  expect(ada).toEqual({ ...system, name: "Ada", slug: "ada", biography: null });

  const draft = await articles.create({
    status: "draft",
    data: {
      author: ada.documentId,
      seo: {},
      sections: [{ __component: "blocks.quote" }, { __component: "blocks.text" }],
    },
  });
  const { documentId } = draft;
  // A draft lacks what is required, and was never published.
  expect(draft).toEqual({
    ...system,
    locale: "en",
    title: null,
    slug: expect.toSatisfy((slug: unknown) => slug === null || typeof slug === "string"),
    excerpt: null,
    body: null,
    featured: false,
    publishedAt: null,
  });

  const populate = {
    author: { fields: ["name"], populate: { links: true, articles: { count: true } } },
    cover: true,
    gallery: true,
    seo: { fields: ["metaTitle"] },
    sections: true,
    localizations: true,
    related: false,
  } as const;
  // In drafts entries lack what is required too; the author has no drafts.
  expect(await articles.findOne(documentId, { status: "draft", fields: ["title"], populate })).toEqual({
    ...document,
    title: null,
    author: {
      ...document,
      name: "Ada",
      links: [{ id: expect.any(Number), label: "Home", url: "https://example.com", external: false }],
      articles: { count: 1 },
    },
    cover: null,
    gallery: [],
    seo: { id: expect.any(Number), metaTitle: null },
    sections: [
      { __component: "blocks.quote", id: expect.any(Number), text: null, attribution: null },
      { __component: "blocks.text", id: expect.any(Number), body: null },
    ],
    localizations: [],
  });

  const other = await articles.create({ data: { title: "Milk", slug: "milk", author: ada.documentId }, fields: [] });
  const published = await articles.update(documentId, {
    data: {
      title: "Tea",
      slug: "tea",
      seo: { metaTitle: "Tea" },
      related: [other.documentId],
      sections: [
        { __component: "blocks.quote", text: "…" },
        { __component: "blocks.text", body: "…" },
      ],
    },
    fields: ["slug", "publishedAt"],
    populate: {
      sections: { on: { "blocks.quote": { fields: ["text"] } } },
      related: { fields: [], populate: ["author"] },
    },
  });
  expect(published).toEqual({
    ...document,
    slug: "tea",
    publishedAt: instant,
    sections: [{ __component: "blocks.quote", id: expect.any(Number), text: "…" }],
    related: [{ ...document, author: { ...system, name: "Ada", slug: "ada", biography: null } }],
  });

  const everything = await articles.findOne(documentId, { populate: "*" });
  const one: Read<Article, { populate: "*" }> | null = everything;
  expect(one && Object.keys(one).toSorted()).toEqual(
    Object.keys(draft)
      .concat("author", "categories", "cover", "gallery", "localizations", "related", "sections", "seo", "tags")
      .toSorted(),
  );

  // The other half of what the compiler takes: every parameter does what it says.
  const found = await articles.find({
    filters: {
      author: { name: { $eqi: "ADA" }, links: { label: "Home" } },
      seo: { $notNull: true },
      $not: { slug: "x" },
    },
    sort: [{ author: { name: "asc" } }, { title: "desc" }],
    fields: ["title"],
    pagination: { page: 1, pageSize: 1 },
    publicationFilter: "published-with-draft",
    _q: "tea",
  });
  expect(found).toEqual([{ ...document, title: "Tea" }]);
  expect(await articles.find({ filters: { author: { id: ada.id }, cover: { $notNull: true } } })).toEqual([]);

  expect(await articles.unpublish(documentId, { fields: ["publishedAt"] })).toEqual({ ...document, publishedAt: null });
  expect(await articles.findOne(documentId)).toBeNull();
  expect(await articles.publish(documentId, { fields: ["publishedAt"] })).toEqual({
    ...document,
    publishedAt: instant,
  });
});
