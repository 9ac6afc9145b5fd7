/** Custom code as public projects have it, ported: each piece does what it did there, and an attribute that is renamed breaks it. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import application from "../../generated/index.ts";
import { createApiToken } from "../../runtime/accounts/api-tokens.ts";
import { bootstrap } from "../../runtime/app/lifecycle.ts";
import { runTask } from "../../runtime/app/tasks.ts";
import { migrate } from "../../runtime/database/migrations/migrator.ts";
import { authApp } from "../support/auth-app.ts";
import { repository } from "../support/cms.ts";
import { freshDatabase } from "../support/database.ts";
import { secrets } from "../support/services.ts";
import { typeCheck, workspace } from "../support/workspace.ts";
import app from "./app.ts";
import article from "./article.ts";
import author from "./author.ts";

const database = await freshDatabase("postgres");
await migrate(database, "generated/migrations");
const ported = {
  ...application,
  extensions: { "api::article.article": article, "api::author.author": author },
  app,
};
const root = await mkdtemp(path.join(tmpdir(), "galley-ported-"));
afterAll(() => rm(root, { recursive: true }));
const server = await authApp({ database, application: ported, root });
const permission = { name: "full", type: "full-access", permissions: [], expiresAt: null } as const;
const token = await createApiToken(database, secrets.tokenSalt, permission);
const { documents } = server.services;
const send = (method: string, path: string, body?: object) =>
  server.send(method, path, { token, ...(body && { body }) });

test("a lifecycle makes a slug of the title, and another mails when an article comes out", async () => {
  const mail = server.nextMail();
  const made = await send("POST", "/api/articles", { data: { title: "Tea & Milk" } });
  expect(made.body).toMatchObject({ data: { slug: "tea-and-milk" } });
  expect(await mail).toMatchObject({ subject: "Tea & Milk", text: "Tea & Milk is out: /articles/tea-and-milk" });
});

test("what is published is checked as a whole, and told of whatever its type", async () => {
  const articles = documents("api::article.article");
  const { documentId } = await articles.create({ data: { title: "Cake", featured: true }, status: "draft" });
  const refused = await send("POST", `/api/articles/${documentId}/actions/publish`);
  expect(refused).toMatchObject({ status: 400, body: { error: { message: "A featured article needs a cover" } } });
  expect(await articles.findOne(documentId)).toBeNull();
  expect(server.logged()).not.toContain(documentId);
  await articles.update(documentId, { data: { featured: false } });
  const told = server.logged().split("\n");
  expect(told.filter((line) => line.includes(documentId) && line.includes("is out"))).toHaveLength(1);
  await articles.delete(documentId);
});

test("a custom endpoint reads by SQL, for callers who may", async () => {
  const months = [{ month: new Date().toISOString().slice(0, 7), articles: 2 }];
  expect((await send("GET", "/api/articles/months")).body).toEqual({ data: months });
  expect((await server.send("GET", "/api/articles/months")).status).toBe(403);
});

test("an owner policy, a default populate and a controller that adds to an answer", async () => {
  const ada = await documents("api::author.author").create({
    data: { name: "Ada", slug: "ada", email: "a@example.com" },
  });
  const found = await send("GET", `/api/authors/${ada.documentId}`);
  expect(found.body).toMatchObject({ data: { name: "Ada", articles: [] } });
  expect((await send("GET", "/api/authors")).body).toMatchObject({ data: [{ name: "Ada" }], meta: { drafts: 1 } });
  const change = await send("PUT", `/api/authors/${ada.documentId}`, { data: { name: "Eve" } });
  expect(change).toMatchObject({ status: 403, body: { error: { message: "Policy Failed" } } });
});

test("a bootstrap makes what has to be there, and a cron task takes away what is old", async () => {
  await bootstrap(ported, server.services);
  await bootstrap(ported, server.services);
  expect(await documents("api::tag.tag").count()).toBe(1);
  await database.rows("update articles set published_at = '2019-01-01' where published_at is not null");
  await runTask(ported, server.services, "unpublishOld");
  expect(await documents("api::article.article").count()).toBe(0);
  expect(await documents("api::article.article").count({ status: "draft" })).toBe(1);
});

test("a cron task uploads a file", async () => {
  await runTask(ported, server.services, "report");
  expect((await send("GET", "/api/upload/files")).body).toMatchObject([{ name: "report.txt", mime: "text/plain" }]);
});

test("a field of GraphQL has a resolver", async () => {
  const answer = await server.send("POST", "/graphql", { body: { query: '{ articlesOf(name: "Ada") }' } });
  expect(answer.body).toEqual({ data: { articlesOf: 0 } });
});

test("each piece is typed: where an attribute has another name it does not compile", async () => {
  const folder = workspace();
  cpSync(path.join(repository, "generated"), path.join(folder, "generated"), { recursive: true });
  for (const name of ["app", "article", "author"]) {
    cpSync(path.join(import.meta.dirname, `${name}.ts`), path.join(folder, "test/ported", `${name}.ts`), {
      recursive: true,
    });
  }
  const check = () => typeCheck(folder, ["generated/*/document.ts", "generated/users-permissions", "test/ported"]);
  expect(await check()).toEqual({ code: 0, stdout: "", stderr: "" });
  for (const [type, from, to] of [
    ["article", "slug", "path"],
    ["author", "email", "mail"],
    ["tag", "slug", "path"],
  ] as const) {
    for (const file of ["document.ts", "validator.ts", "type.ts", "table.ts", "graphql.ts"]) {
      const at = path.join(folder, "generated", type, file);
      const text = readFileSync(at, "utf8");
      writeFileSync(at, text.replaceAll(new RegExp(`\\b${from}(\\??: )`, "g"), `${to}$1`));
    }
  }
  const { stdout } = await check();
  for (const name of ["app", "article", "author"]) expect(stdout).toContain(`ported/${name}.ts`);
});
