/** What code of the application may do that clients may not, and what it asks the document service about. */
import { expect, test } from "vitest";
import application from "../../../generated/index.ts";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { create, router } from "../../../runtime/http/rest/index.ts";
import { authApp } from "../../support/auth-app.ts";
import { freshDatabase, recording } from "../../support/database.ts";
import { secrets } from "../../support/services.ts";

const authorModule = application.contentTypes["api::author.author"];
if (!authorModule) throw new Error("the example has authors");
const { type } = authorModule;
/** Only code says what the biography of an author is. */
const author = {
  ...type,
  attributes: Object.fromEntries(
    Object.entries<object>(type.attributes).map(([name, each]) => [
      name,
      name === "biography" ? { ...each, writable: false as const } : each,
    ]),
  ),
};
const guarded = {
  ...application,
  contentTypes: {
    ...application.contentTypes,
    "api::author.author": { ...authorModule, type: author, routes: router().post("/authors", create(author)) },
  },
  extensions: {
    "api::author.author": {
      hooks: {
        beforeCreate: ({ data }: { data: Readonly<Record<string, unknown>> }) =>
          data["name"] === "Typo" ? { ...data, biografy: "x" } : { ...data, biography: `By ${String(data["name"])}` },
      },
    },
  },
};

const watched = recording(await freshDatabase("postgres"));
await migrate(watched.database, "generated/migrations");
const locales = { default: "en", codes: ["en", "fr"] };
const app = await authApp({ database: watched.database, application: guarded, config: { locales } });
const token = await createApiToken(watched.database, secrets.tokenSalt, {
  name: "full",
  type: "full-access",
  permissions: [],
  expiresAt: null,
});
const authors = app.services.documents("api::author.author");

test("what bodies may not write is written by code and by hooks", async () => {
  const body = { data: { name: "Ada", slug: "ada", biography: "mine" } };
  expect(await app.send("POST", "/api/authors", { token, body })).toMatchObject({
    status: 400,
    body: { error: { message: "Invalid key biography" } },
  });
  const { biography: _biography, ...data } = body.data;
  expect(await app.send("POST", "/api/authors", { token, body: { data } })).toMatchObject({
    status: 201,
    body: { data: { biography: "By Ada" } },
  });
  const ada = await authors.findFirst({ filters: { slug: "ada" } });
  const changed = await authors.update(ada?.documentId ?? "", { data: { biography: "By hand" } });
  expect(changed).toMatchObject({ name: "Ada", biography: "By hand" });
});

test("a name that does not exist is refused from a hook as from a body", async () => {
  const body = { data: { name: "Typo", slug: "typo" } };
  expect(await app.send("POST", "/api/authors", { token, body })).toMatchObject({
    status: 400,
    body: { error: { message: "Invalid key biografy" } },
  });
});

test("documents are counted, found first and asked for, by one statement each", async () => {
  const tags = app.services.documents("api::tag.tag");
  expect([await tags.count(), await tags.exists(), await tags.findFirst()]).toEqual([0, false, null]);
  for (let number = 1; number <= 30; number += 1) {
    await tags.create({ data: { name: `Tag ${number}`, slug: `tag-${number}` } });
  }
  watched.statements.length = 0;
  expect(await tags.count()).toBe(30);
  expect(await tags.count({ filters: { name: { $startsWith: "Tag 1" } } })).toBe(11);
  expect(await tags.exists({ filters: { slug: "tag-30" } })).toBe(true);
  expect(await tags.exists({ filters: { slug: "tag-31" } })).toBe(false);
  expect(await tags.findFirst({ sort: "id:desc", fields: ["name"] })).toMatchObject({ name: "Tag 30" });
  expect(watched.statements).toHaveLength(5);
  const wrong: object = { slag: "tag-1" };
  await expect(tags.count({ filters: wrong })).rejects.toThrow("Invalid key slag");
});

test("code reads and filters what is private where it names it, and clients do not", async () => {
  await authors.create({ data: { name: "Private", slug: "private", email: "private@example.com" } });
  const filters = { email: { $contains: "private@" } };
  expect(await authors.find({ filters, fields: ["email"] })).toMatchObject([{ email: "private@example.com" }]);
  const [whole] = await authors.find({ filters, sort: "email" });
  expect(whole).toMatchObject({ name: "Private" });
  expect(whole).not.toHaveProperty("email");
  expect(await authors.count({ _q: "private@example" })).toBe(0);
  const articles = app.services.documents("api::article.article");
  expect(await articles.count({ filters: { author: { email: "private@example.com" } } })).toBe(0);
  const users = app.services.documents("plugin::users-permissions.user");
  const byPassword: object = { password: { $notNull: true } };
  await expect(users.find({ filters: byPassword })).rejects.toThrow("Invalid key password");
  for (const query of ["filters[email][$notNull]=true", "sort=email", "fields[0]=email"]) {
    expect(
      await app.send("GET", `/api/articles?populate[author][${query.replace("[", "][").replace("]", "")}`, { token }),
    ).toMatchObject({ status: 400 });
  }
});

test("a copy has the values, links and entries of a document in the locales that are asked for, with other ids", async () => {
  const { documents } = app.services;
  const articles = documents("api::article.article");
  const tags = documents("api::tag.tag");
  const [one = "", two = ""] = await tags.createMany({
    data: ["one", "two"].map((name) => ({ name, slug: name })),
  });
  const entries = [
    { __component: "blocks.quote", text: "To be", attribution: "H." },
    { __component: "blocks.text", body: "or not" },
  ] as const;
  const data = { title: "First", slug: "first", tags: [two, one], sections: [...entries], seo: { metaTitle: "F" } };
  const { documentId } = await articles.create({ data });
  await articles.update(documentId, { data: { title: "Premier", slug: "premier" }, locale: "fr", status: "draft" });
  const query = { status: "draft", populate: { tags: true, sections: true, seo: true } } as const;
  const source = await articles.findOne(documentId, query);

  const cloned = await articles.clone(documentId, { data: { slug: "second" } });
  expect(cloned?.entries).toMatchObject([{ title: "First", slug: "second", publishedAt: null, locale: "en" }]);
  const copy = await articles.findOne(cloned?.documentId ?? "", query);
  expect(copy?.documentId).not.toBe(documentId);
  expect(copy).toMatchObject({ tags: [{ name: "two" }, { name: "one" }], sections: entries, seo: { metaTitle: "F" } });
  expect(copy?.sections.map(({ id }) => id)).not.toEqual(source?.sections.map(({ id }) => id));
  expect(await articles.findOne(documentId, query)).toEqual(source);
  expect(await articles.findOne(cloned?.documentId ?? "")).toBeNull();
  expect(await articles.publish(cloned?.documentId ?? "")).toMatchObject({ slug: "second" });

  const everywhere = await articles.clone(documentId, { locale: "*" });
  expect(everywhere?.entries.map(({ locale, title, documentId: id }) => [locale, title, id])).toEqual([
    ["en", "First", everywhere?.documentId],
    ["fr", "Premier", everywhere?.documentId],
  ]);
  // In a transaction that is taken back it is gone; of copies at once each is whole.
  const before = await articles.count({ status: "draft" });
  const undone = app.services.transaction(async (inside) => {
    await inside.documents("api::article.article").clone(documentId, { locale: "*" });
    throw new Error("taken back");
  });
  await expect(undone).rejects.toThrow("taken back");
  const copies = await Promise.all([1, 2, 3].map(() => articles.clone(documentId, { locale: "*" })));
  expect(new Set(copies.map((each) => each?.documentId)).size).toBe(3);
  expect(copies.map((each) => each?.entries.length)).toEqual([2, 2, 2]);
  expect(await articles.count({ status: "draft" })).toBe(before + 3);
  for (const missing of ["", "nothing\0", documentId.toUpperCase()]) expect(await articles.clone(missing)).toBeNull();
  await expect(tags.clone(one)).rejects.toMatchObject({ message: "2 errors occurred" });
  expect(await tags.clone(one, { data: { name: "three", slug: "3" } })).toMatchObject({ entries: [{ name: "three" }] });
  expect(
    await authors.clone(String((await authors.findFirst())?.documentId), { data: { slug: "copy" } }),
  ).toMatchObject({
    entries: [{ biography: "By Ada", slug: "copy" }],
  });
});

test("a copy leaves out what entries of components refer to and what is deleted", async () => {
  const articles = app.services.documents("api::article.article");
  await watched.database.rows(
    `insert into files (id, document_id, name, hash, ext, mime, size, url, provider, created_at, updated_at)
     select id, 'file' || id, 'f', 'f' || id, '.png', 'image/png', 1, '', 'local', now(), now() from unnest(array[901, 902]) as id`,
  );
  const sections = [{ __component: "blocks.gallery", images: [901, 902] }] as const;
  const data = { title: "Pictures", slug: "pictures", sections: [...sections], seo: { metaTitle: "P", image: 901 } };
  const { documentId } = await articles.create({ data, status: "draft" });
  await watched.database.rows("delete from files where id = 901");
  const copy = await articles.clone(documentId);
  const populate = {
    sections: { on: { "blocks.gallery": { populate: ["images"] } } },
    seo: { populate: ["image"] },
  } as const;
  expect(await articles.findOne(copy?.documentId ?? "", { status: "draft", populate })).toMatchObject({
    sections: [{ images: [{ id: 902 }] }],
    seo: { metaTitle: "P", image: null },
  });
  await expect(articles.clone(documentId, { data: { seo: { metaTitle: "P", image: 901 } } })).rejects.toThrow(
    "1 relation(s) of type plugin::upload.file",
  );
  // A link to what is not there in the locale stays, and shows nothing.
  const other = await articles.create({ data: { title: "Other", slug: "other" }, status: "draft" });
  await articles.update(other.documentId, { data: { title: "Autre" }, locale: "fr", status: "draft" });
  await articles.update(documentId, { data: { related: [other.documentId] }, status: "draft" });
  await articles.delete(other.documentId);
  const linked = await articles.clone(documentId);
  const links = "select count(*)::int from articles_related where document_id = $1";
  expect(await watched.database.rows(links, [other.documentId])).toEqual([[2]]);
  const shown = { status: "draft", populate: ["related"] } as const;
  expect(await articles.findOne(linked?.documentId ?? "", shown)).toMatchObject({ related: [] });
  const query: object = { status: "published" };
  await expect(articles.clone(documentId, query)).rejects.toThrow("Invalid parameter status");
});

test("a document is published, unpublished and its draft discarded in all locales at once, or in none", async () => {
  const articles = app.services.documents("api::article.article");
  const tags = app.services.documents("api::tag.tag");
  const { documentId } = await articles.create({ data: { title: "One", slug: "one" }, status: "draft" });
  await articles.update(documentId, { data: { title: "Un", slug: "un" }, locale: "fr", status: "draft" });
  const every = { locale: "*", fields: ["title"] } as const;
  const titles = [{ title: "One" }, { title: "Un" }];
  expect(await articles.discardDraft(documentId, every)).toEqual({ documentId, entries: [] });
  expect(await articles.publish(documentId, every)).toMatchObject({ documentId, entries: titles });
  expect(await articles.count({ locale: "fr", filters: { documentId } })).toBe(1);

  for (const locale of ["en", "fr"]) {
    await articles.update(documentId, { data: { title: `Draft ${locale}` }, locale, status: "draft" });
  }
  expect(await articles.discardDraft(documentId, every)).toMatchObject({ entries: titles });
  expect(
    (await articles.unpublish(documentId, { locale: "*" }))?.entries.map(({ publishedAt }) => publishedAt),
  ).toEqual([null, null]);
  expect(await articles.find({ locale: "*", filters: { documentId } })).toEqual([]);
  expect(await articles.unpublish(documentId, every)).toEqual({ documentId, entries: [] });

  // What one locale is refused for, no locale has.
  await articles.update(documentId, { data: { slug: null }, locale: "fr", status: "draft" });
  await expect(articles.publish(documentId, every)).rejects.toThrow("slug");
  expect(await articles.find({ locale: "*", filters: { documentId } })).toEqual([]);
  expect(await articles.publish("n".repeat(24), every)).toBeNull();
  const [tag = ""] = await tags.createMany({ data: [{ name: "t", slug: "t" }] });
  await expect(tags.publish(tag, { locale: "*" })).rejects.toThrow("api::tag.tag has no drafts");
});
