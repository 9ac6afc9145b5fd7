/** What has no page of its own, users and files, is read in no larger measure than anything else. */
import { afterAll, expect, test } from "vitest";
import { at } from "../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";

const database = await exampleDatabase(afterAll);
const app = await exampleApp(afterAll, database);
const few = await exampleApp(afterAll, database, { limits: { rows: 3, conditions: 2 } });
const short = await exampleApp(afterAll, database, { limits: { answerSize: 5000 } });
const token = await app.token();

const refused = { error: { status: 400, name: "ValidationError" } };

test("users are read up to the limit of rows", async () => {
  for (const name of ["ann", "ben", "cleo", "dan"]) {
    const body = { username: name, email: `${name}@example.test`, password: "a good password", role: 1 };
    expect((await app.send("POST", "/api/users", { token, body })).status).toBe(201);
  }
  expect((await few.send("GET", "/api/users?limit=2", { token })).status).toBe(200);
  expect((await few.send("GET", "/api/users", { token })).body).toMatchObject(refused);
  expect((await app.send("GET", "/api/users", { token })).body).toHaveLength(4);
});

const FOUR_CONDITIONS = [0, 1, 2, 3].map((index) => `filters[$or][${index}][username]=ann`).join("&");

test("one user is read within the limits of any other read", async () => {
  for (const path of ["/api/users/1", "/api/users/count"]) {
    expect((await app.send("GET", `${path}?${FOUR_CONDITIONS}`, { token })).status).toBe(200);
    expect((await few.send("GET", `${path}?${FOUR_CONDITIONS}`, { token })).body).toMatchObject(refused);
  }
  const brief = await exampleApp(afterAll, database, { limits: { answerSize: 100 } });
  expect((await brief.send("GET", "/api/users/1", { token })).body).toMatchObject(refused);
});

test("files are read up to the limit of rows, and what shows them up to that of the answer", async () => {
  const parts = [1, 2, 3].map((n) => ({
    name: `${n}.svg`,
    type: "image/svg+xml",
    content: "<svg xmlns='http://www.w3.org/2000/svg'/>",
  }));
  const uploaded = await app.upload(parts, token);
  const gallery = [0, 1, 2].map((index) => Number(at(uploaded.body, `${index}.id`)));
  const data = { title: "Pictures", slug: "pictures", excerpt: "x".repeat(250), body: [], gallery };
  expect((await app.send("POST", "/api/articles", { token, body: { data } })).status).toBe(201);
  const related = "/api/upload/files?populate=related";
  expect((await app.send("GET", related, { token })).text.match(/"Pictures"/g)).toHaveLength(3);
  expect((await few.send("GET", "/api/upload/files", { token })).status).toBe(200);
  expect((await few.send("GET", related, { token })).body).toMatchObject(refused);
  const body = [{ type: "paragraph", children: [{ type: "text", text: "x".repeat(2000) }] }];
  await app.send("POST", "/api/articles", { token, body: { data: { ...data, slug: "longer", body } } });
  expect((await short.send("GET", related, { token })).body).toMatchObject({ error: { details: { path: "related" } } });
});
