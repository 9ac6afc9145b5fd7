/** Validators that an extension changes: what they say holds for REST, GraphQL, code and publishing. */
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import example from "../../../generated/index.ts";
import { authors as authorTable } from "../../../generated/tables.ts";
import { defineExtension } from "../../../runtime/app/extension.ts";
import { at } from "../../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const author = defineExtension<"api::author.author">({
  validators: {
    publish: (schema) =>
      schema
        .refine(({ name, slug }) => name !== slug, { error: "slug says no more" })
        .refine(({ name, email }) => email !== `${name}@example.org`, { path: ["email"], error: "name is no secret" })
        .refine(({ biography }) => (biography === "later" ? Promise.resolve(true) : true))
        .refine(({ biography }) => {
          if (biography === "now") throw new Error("no such service");
          return true;
        }),
  },
});
const tagsOf: unknown[] = [];
const article = defineExtension<"api::article.article">({
  validators: {
    draft: (schema) =>
      schema
        .refine(({ tags }) => tagsOf.push(tags))
        .safeExtend({
          excerpt: z
            .url()
            .startsWith("https://")
            .max(20)
            .regex(/end$/)
            .refine((text) => text.includes("?"))
            .nullish(),
        }),
    publish: (schema) =>
      schema
        .refine(({ title, slug }) => title !== slug, { path: ["slug"], error: "slug says no more" })
        .refine(({ title, featured }) => title !== "Plain" || featured !== true, { error: "plain is not featured" })
        .refine(({ gallery }) => !Array.isArray(gallery) || gallery.length < 2, { error: "one picture" })
        .refine(({ title, gallery }) => title !== "Bare" || !Array.isArray(gallery) || gallery.length === 0, {
          error: "bare has no pictures",
        })
        .refine(({ title, cover }) => title !== "Plain" || !cover, { error: "plain has no cover" }),
  },
});
const category = defineExtension<"api::category.category">({
  validators: { publish: (schema) => schema.safeExtend({ name: z.string().regex(/\s+$/) }) },
});
const database = await exampleDatabase(afterAll);
const app = await exampleApp(
  afterAll,
  database,
  { locales: { codes: ["en", "de"] } },
  {
    ...example,
    extensions: {
      ...example.extensions,
      "api::article.article": article,
      "api::author.author": author,
      "api::category.category": category,
    },
  },
);
const token = await app.token();
const articles = app.services.documents("api::article.article");

const wrong = "no address, and far too long";
const faults = (body: unknown): number => {
  const list = at(body, "error.details.errors");
  return Array.isArray(list) ? list.length : 0;
};

test("a draft schema with five rules finds five faults, on every path", async () => {
  const rest = await app.send("POST", "/api/articles?status=draft", { token, body: { data: { excerpt: wrong } } });
  expect([rest.status, faults(rest.body)]).toEqual([400, 5]);
  const graphql = await app.graphql(
    "mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id } } }",
    { data: { title: "A", slug: "a", excerpt: wrong } },
    { token },
  );
  expect(at(graphql.body, "errors.0.extensions.error.details.errors")).toHaveLength(5);
  const code = articles.create({ data: { excerpt: wrong }, status: "draft" });
  await expect(code).rejects.toMatchObject({ details: { errors: { length: 5 } } });
  expect(await articles.count({ status: "draft" })).toBe(0);
});

test("a rule on the whole document holds when it is published, by whatever request", async () => {
  const data = { title: "same", slug: "same", excerpt: "https://a.b/?end" };
  const created = await app.send("POST", "/api/articles", { token, body: { data } });
  expect([created.status, at(created.body, "error.message")]).toEqual([400, "slug says no more"]);
  const draft = await articles.create({ data, status: "draft" });
  const path = `/api/articles/${draft.documentId}/actions/publish`;
  expect((await app.send("POST", path, { token })).status).toBe(400);
  await articles.update(draft.documentId, { data: { slug: "more" }, status: "draft" });
  expect((await app.send("POST", path, { token })).status).toBe(200);
  await expect(articles.update(draft.documentId, { data: { slug: "same" } })).rejects.toThrow("slug says no more");
});

test("a rule holds though it names an attribute that the update leaves unchanged, which no error shows", async () => {
  const authors = app.services.documents("api::author.author");
  const data = { name: "Ann", slug: "a", email: "bob@example.org", biography: "a!" };
  const { documentId } = await authors.create({ data });
  const put = (changed: object) => app.send("PUT", `/api/authors/${documentId}`, { token, body: { data: changed } });
  const named = await put({ name: "bob" });
  expect([named.status, named.text]).toEqual([400, expect.stringContaining("name is no secret")]);
  expect(named.text).not.toContain("bob@");
  const whole = await put({ slug: "Ann" });
  expect([whole.status, whole.text]).toEqual([400, expect.stringContaining("slug says no more")]);
  expect(whole.text).not.toContain("bob@");
  await expect(authors.updateMany({ filters: {}, data: { name: "bob" } })).rejects.toThrow("name is no secret");
  expect(await authors.updateMany({ filters: {}, data: { biography: "b!" } })).toEqual([documentId]);
  await app.services.db.update(authorTable).set({ name: "bob" });
  expect((await put({ biography: "c!" })).status).toBe(200);
});

test("a rule on drafts sees relations that the update leaves unchanged", async () => {
  const tag = await app.services.documents("api::tag.tag").create({ data: { name: "Tea", slug: "tea" } });
  const data = { title: "A", tags: [tag.documentId] };
  const { documentId } = await articles.create({ data, status: "draft" });
  await articles.update(documentId, { data: { title: "B" }, status: "draft" });
  expect(tagsOf.at(-1)).toEqual([{ documentId: tag.documentId }]);
});

test("a rule holds for another locale, to which a write copies what is the same in all of them", async () => {
  const { documentId } = await articles.create({ data: { title: "Plain", slug: "plain" } });
  const put = (data: object) =>
    app.send("PUT", `/api/articles/${documentId}?locale=de`, {
      token,
      body: { data: { title: "Bunt", slug: "bunt", ...data } },
    });
  const refused = await put({ featured: true });
  expect([refused.status, at(refused.body, "error.message")]).toEqual([
    400,
    "plain is not featured (in the locale en)",
  ]);
  expect(await articles.findOne(documentId)).toMatchObject({ featured: false });
  expect((await put({ excerpt: null })).status).toBe(200);
  expect((await put({ featured: true })).status).toBe(400);
  await articles.update(documentId, { data: { title: "Fine" } });
  expect((await put({ featured: true })).status).toBe(200);
  expect(await articles.findOne(documentId)).toMatchObject({ featured: true });
});

const files = async (): Promise<unknown> => (await app.send("GET", "/api/upload/files", { token })).body;

test("a rule holds for files that are uploaded into an attribute", async () => {
  const { documentId } = await articles.create({ data: { title: "Plain", slug: "pictures" } });
  const upload = (field: string) =>
    app.upload(
      [
        { name: "a.svg", type: "image/svg+xml", content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
        { field: "ref", content: "api::article.article" },
        { field: "refId", content: documentId },
        { field: "field", content: field },
      ],
      token,
    );
  const cover = await upload("cover");
  expect([cover.status, at(cover.body, "error.message")]).toEqual([400, "plain has no cover (in the locale en)"]);
  expect(await files()).toEqual([]);
  expect((await upload("gallery")).status).toBe(201);
  expect((await upload("gallery")).status).toBe(400);
  expect(await files()).toHaveLength(1);
  const query = { populate: { gallery: true } } as const;
  expect(await articles.findOne(documentId, query)).toMatchObject({ gallery: [{ name: "a.svg" }] });
});

test("a rule holds for the lists of files that a write or a publication copies to another locale", async () => {
  const [picture] = z.array(z.object({ id: z.number() })).parse(await files());
  const { documentId } = await articles.create({ data: { title: "Bare", slug: "none" } });
  const data = { title: "Bunt", slug: "bunt-2", gallery: [picture?.id ?? 0] };
  const put = (query: string, changed: object = data) =>
    app.send("PUT", `/api/articles/${documentId}?locale=de${query}`, { token, body: { data: changed } });
  const refused = await put("");
  expect([refused.status, at(refused.body, "error.message")]).toEqual([400, "bare has no pictures (in the locale en)"]);
  expect((await put("&status=draft")).status).toBe(200);
  const published = await app.send("POST", `/api/articles/${documentId}/actions/publish?locale=de`, { token });
  expect([published.status, at(published.body, "error.message")]).toEqual([
    400,
    "bare has no pictures (in the locale en)",
  ]);
  const query = { populate: { gallery: true } } as const;
  expect(await articles.findOne(documentId, query)).toMatchObject({ gallery: [] });
  expect((await put("&status=draft", { gallery: [] })).status).toBe(200);
  expect((await put("", { title: "Bunt" })).status).toBe(200);
});

test.each([
  ["later", "Encountered Promise"],
  ["now", "no such service"],
])("a rule that is asynchronous or throws is named in the log: %s", async (biography, reason) => {
  const data = { name: "Eve", slug: "eve", biography };
  const { status } = await app.send("POST", "/api/authors", { token, body: { data } });
  expect(status).toBe(500);
  expect(app.logged()).toMatch(new RegExp(`"validators\\\\" in extension.ts of api::author.author .*${reason}`));
});

test.each([
  ["publish", () => undefined, '"validators.publish" of api::tag.tag has to return an object schema'],
  ["publish", () => z.any(), '"validators.publish" of api::tag.tag has to return an object schema'],
  ["draft", (schema: z.ZodObject) => schema.transform(() => null), '"validators.draft" of api::tag.tag has to return'],
  ["published", (schema: z.ZodObject) => schema, '"validators" of api::tag.tag has "published"'],
])("a rule that would not hold keeps a server from starting: %s %s", async (name, change, message) => {
  const tag = { validators: { [name]: change } } as object;
  const wrong = { ...example, extensions: { "api::tag.tag": tag } };
  await expect(exampleApp(afterAll, database, {}, wrong)).rejects.toThrow(message);
});

test("a pattern of an extension that a text would take minutes to match is given up", async () => {
  const data = { name: `${" ".repeat(900_000)}x`, slug: "slow" };
  const { status, body } = await app.send("POST", "/api/categories", { token, body: { data } });
  expect(status).toBe(400);
  expect(at(body, "error.message")).toContain("take too long to check");
});
