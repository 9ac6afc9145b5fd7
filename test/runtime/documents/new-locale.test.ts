/** What a new locale of a document begins with. */
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { can } from "../../../runtime/access/row-rules.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const { graphql, send, services, token, upload } = await exampleApp(afterAll, await exampleDatabase(), {
  locales: { default: "en", codes: ["en", "de", "fr"] },
});
const full = await token();

const picture = { name: "a.svg", type: "image/svg+xml", content: '<svg xmlns="http://www.w3.org/2000/svg"/>' };

const created = z.object({ data: z.object({ documentId: z.string() }) });

const create = async (path: string, data: object): Promise<string> => {
  const { body } = await send("POST", path, { token: full, body: { data } });
  return created.parse(body).data.documentId;
};

const SHOWN =
  "populate[author][fields]=name&populate[tags][fields]=name&populate[cover][fields]=name&populate[seo]=true";

test("a new locale begins with what is not localized, and without relations, uid and what is localized", async () => {
  const author = await create("/api/authors", { name: "Ann", slug: "ann" });
  const tag = await create("/api/tags", { name: "Tea", slug: "tea" });
  const uploaded = await upload([picture], full);
  const [file] = z.array(z.object({ id: z.number() })).parse(uploaded.body);
  const english = {
    title: "English",
    excerpt: "Short",
    slug: "english",
    featured: true,
    cover: file?.id,
    author,
    tags: [tag],
  };
  const article = await create("/api/articles?status=draft", { ...english, seo: { metaTitle: "Meta" } });
  const put = (locale: string, data: object) =>
    send("PUT", `/api/articles/${article}?status=draft&locale=${locale}&${SHOWN}`, { token: full, body: { data } });
  expect((await put("de", { title: "Deutsch", featured: null })).body).toMatchObject({
    data: {
      title: "Deutsch",
      featured: true,
      cover: { id: file?.id },
      slug: null,
      excerpt: null,
      author: null,
      tags: [],
      seo: null,
    },
  });
  expect((await put("fr", { title: "Français", featured: false })).body).toMatchObject({ data: { featured: false } });
  expect((await put("en", {})).body).toMatchObject({
    data: { featured: false, slug: "english", author: { name: "Ann" } },
  });
});

let articles = 0;

/** Writes an English article with everything, and returns its id. */
const everything = async (): Promise<string> => {
  articles += 1;
  const author = await create("/api/authors", { name: "Bob", slug: `bob-${articles}` });
  const tag = await create("/api/tags", { name: `Oat ${articles}`, slug: `oat-${articles}` });
  const [file] = z.array(z.object({ id: z.number() })).parse((await upload([picture], full)).body);
  return create("/api/articles", {
    title: "English",
    slug: `english-${articles}`,
    excerpt: "Short",
    featured: true,
    cover: file?.id,
    gallery: [file?.id],
    author,
    tags: [tag],
    sections: [{ __component: "blocks.quote", text: "Said" }],
    seo: { metaTitle: "Meta" },
  });
};

const ALL = `${SHOWN}&populate[gallery][fields]=id&populate[sections]=true`;
const document = z.object({ data: z.looseObject({ sections: z.array(z.looseObject({ id: z.number() })) }) });

/** Writes a locale of an article with values of another. */
const copy = (article: string, query: string, copyFrom: unknown, { data = {}, as = full } = {}) =>
  send("PUT", `/api/articles/${article}?${query}`, { token: as, body: { data, meta: { copyFrom } } });

test("copyFrom takes everything along, and the body replaces what it gives", async () => {
  const article = await everything();
  const english = document.parse((await send("GET", `/api/articles/${article}?${ALL}`, { token: full })).body);
  const german = await copy(article, `locale=de&${ALL}`, "en", { data: { title: "Deutsch" } });
  expect(german.status).toBe(200);
  const shown = document.parse(german.body);
  expect(shown.data).toMatchObject({
    documentId: article,
    locale: "de",
    title: "Deutsch",
    excerpt: "Short",
    slug: english.data["slug"],
    featured: true,
    gallery: english.data["gallery"],
    author: { name: "Bob" },
    tags: [{ name: `Oat ${articles}` }],
    sections: [{ __component: "blocks.quote", text: "Said" }],
    seo: { metaTitle: "Meta" },
  });
  expect(shown.data.sections[0]?.id).not.toBe(english.data.sections[0]?.id);
});

test("copyFrom is refused where there is nothing to copy, or something to lose", async () => {
  const article = await everything();
  const message = async (query: string, from: unknown) => (await copy(article, query, from)).text;
  expect(await message("locale=de", "fr")).toContain('copyFrom: the document has no locale \\"fr\\"');
  expect(await message("locale=de", "xx")).toContain('Locale \\"xx\\" is not configured');
  expect(await message("locale=de", ["en"])).toContain("Invalid locale param en");
  expect(await message("locale=en", "en")).toContain('copyFrom: the document has locale \\"en\\" already');
  const added = await send("POST", "/api/articles", { token: full, body: { data: {}, meta: { copyFrom: "en" } } });
  expect(added).toMatchObject({ status: 400 });
  expect(added.text).toContain("a new document has no other locale");
  const tag = await create("/api/tags", { name: "Rye", slug: "rye" });
  const plain = await send("PUT", `/api/tags/${tag}`, { token: full, body: { data: {}, meta: { copyFrom: "en" } } });
  expect(plain.text).toContain("copyFrom: api::tag.tag is not localized");
  expect(await copy("aaaaaaaaaaaaaaaaaaaaaaaa", "locale=de", "en")).toMatchObject({ status: 404 });
  const both = await Promise.all([copy(article, "locale=de", "en"), copy(article, "locale=de", "en")]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

test("copyFrom takes along what the caller may write, and needs the right to read drafts", async () => {
  const article = await everything();
  const update = ["api::article.article.update", "api::article.article.publish"];
  const blind = await token(...update);
  expect(await copy(article, "locale=de", "en", { as: blind })).toMatchObject({ status: 403 });
  const seeing = await token(...update, "api::article.article.readDraft", "api::tag.tag.find");
  expect(await copy(article, "locale=de", "en", { as: seeing })).toMatchObject({ status: 200 });
  expect((await send("GET", `/api/articles/${article}?locale=de&${SHOWN}`, { token: full })).body).toMatchObject({
    data: { title: "English", tags: [{ name: `Oat ${articles}` }], author: null },
  });
});

test("GraphQL and code copy as well, in one transaction with what they write", async () => {
  const article = await everything();
  const mutation = `mutation ($id: ID!) {
    updateArticle(id: $id, locale: "de", copyFrom: "en", data: { excerpt: "Kurz" }) {
      data { attributes { title excerpt locale } }
    }
  }`;
  expect((await graphql(mutation, { id: article }, { token: full })).body).toMatchObject({
    data: { updateArticle: { data: { attributes: { title: "English", excerpt: "Kurz", locale: "de" } } } },
  });
  const { update, findOne } = services.documents("api::article.article");
  const refused = update(article, { locale: "fr", copyFrom: "en", data: { title: "x".repeat(121) } });
  await expect(refused).rejects.toThrow("title must be at most 120 characters");
  expect(await findOne(article, { locale: "fr", status: "draft" })).toBeNull();
  expect(await update(article, { locale: "fr", copyFrom: "de", data: {} })).toMatchObject({
    excerpt: "Kurz",
    locale: "fr",
  });
});

test("who may not read what another locale leads to copies the rest", async () => {
  const uid = "api::author.author";
  const app = await exampleApp(afterAll, await exampleDatabase(afterAll), {
    locales: { default: "en", codes: ["en", "de"] },
    permissions: { public: [can(`${uid}.find`, { where: () => ({ slug: { $ne: "secret" } }) })] },
  });
  const article = ["find", "findOne", "readDraft", "update"].map((action) => `api::article.article.${action}`);
  await app.allowPublic(`${uid}.find`, ...article);
  const author = await app.services.documents(uid).create({ data: { name: "Secret", slug: "secret" } });
  const data = { title: "English", slug: "english", author: author.documentId };
  const { documentId } = await app.services.documents("api::article.article").create({ data, status: "draft" });
  const path = `/api/articles/${documentId}?status=draft&locale=de&populate=author`;
  const written = { data: { title: "Deutsch" }, meta: { copyFrom: "en" } };
  const { status, body } = await app.send("PUT", path, { body: written });
  expect({ status, body }).toMatchObject({ status: 200, body: { data: { title: "Deutsch", author: null } } });
});
