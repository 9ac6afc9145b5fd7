/** Validators that an extension changes: what they say holds for REST, GraphQL, code and publishing. */
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import example from "../../../generated/index.ts";
import { defineExtension } from "../../../runtime/app/extension.ts";
import { at } from "../../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const article = defineExtension<"api::article.article">({
  validators: {
    draft: (schema) =>
      schema.safeExtend({
        excerpt: z
          .url()
          .startsWith("https://")
          .max(20)
          .regex(/end$/)
          .refine((text) => text.includes("?"))
          .nullish(),
      }),
    publish: (schema) =>
      schema.refine(({ title, slug }) => title !== slug, { path: ["slug"], error: "slug says no more" }),
  },
});
const database = await exampleDatabase(afterAll);
const app = await exampleApp(
  afterAll,
  database,
  {},
  {
    ...example,
    extensions: { ...example.extensions, "api::article.article": article },
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
