/** Who may read and restore which versions. */
import { expect, test } from "vitest";
import { can } from "../../../runtime/access/row-rules.ts";
import { article, world } from "./versions-world.ts";

test("whoever may read nothing but what is public sees no drafts' versions, and nothing beyond its list", async () => {
  const actions = ["findVersions", "findVersion", "compareVersions", "findDeleted", "restoreVersion"];
  const { app, data, created, ask } = await world({
    config: { fields: { "token:limited": { [article]: ["title"] } } },
  });
  const documentId = await created({ title: "One", slug: "one" });
  const path = `/articles/${documentId}`;
  await ask("PUT", `${path}?status=draft`, { data: { title: "Secret" } });
  const reader = await app.token(...actions.map((action) => `${article}.${action}`));
  const all = await data("GET", `${path}/versions`);
  const seen = await data("GET", `${path}/versions`, undefined, reader);
  expect(all.map(({ status }: { status: string }) => status)).toEqual(["draft", "published", "draft"]);
  expect(seen.map(({ status }: { status: string }) => status)).toEqual(["published"]);
  const get = async (version: number, rest = "") =>
    (await ask("GET", `${path}/versions/${version}${rest}`, undefined, reader)).status;
  expect([await get(all[0].id), await get(all[0].id, "/difference"), await get(all[1].id)]).toEqual([404, 404, 200]);
  expect((await ask("POST", `${path}/versions/${all[1].id}/restore`, undefined, reader)).status).toBe(403);
  const nobody = await app.token(`${article}.findOne`);
  expect((await ask("GET", `${path}/versions`, undefined, nobody)).status).toBe(403);
});

test("a document that a rule hides has no versions, and what others have deleted is not counted", async () => {
  const rule = can(`${article}.find`, { where: () => ({ featured: false }) });
  const { app, created, ask, data } = await world({ config: { permissions: { authenticated: [rule] } } });
  await app.allowUsers(
    ...["find", "findVersions", "findVersion", "findDeleted"].map((action) => `${article}.${action}`),
  );
  const account = { username: "reader", email: "reader@example.test", password: "Passw0rd!" };
  const registered = await app.send("POST", "/api/auth/local/register", { body: account });
  const user = String(Object(registered.body).jwt);
  const hidden = await created({ title: "One", slug: "one", featured: true });
  const gone = await created({ title: "Two", slug: "two", featured: true });
  await ask("DELETE", `/articles/${gone}`);
  const taken = await created({ title: "Three", slug: "three" });
  const [{ id: first }] = await data("GET", `/articles/${taken}/versions?status=published`);
  expect((await ask("GET", `/articles/${taken}/versions/${first}`, undefined, user)).status).toBe(200);
  await ask("PUT", `/articles/${taken}`, { data: { featured: true } });
  await ask("DELETE", `/articles/${taken}`);
  expect((await ask("GET", `/articles/${taken}/versions/${first}`, undefined, user)).status).toBe(404);
  const none = await ask("GET", "/articles/none/versions", undefined, user);
  expect(none).toMatchObject({ status: 200, body: { data: [], meta: { pagination: { total: 0 } } } });
  for (const each of [hidden, taken])
    expect((await ask("GET", `/articles/${each}/versions`, undefined, user)).body).toEqual(none.body);
  const became = await created({ title: "Four", slug: "four", featured: true });
  await ask("PUT", `/articles/${became}`, { data: { featured: false } });
  const { body } = await ask("GET", `/articles/${became}/versions?status=published`, undefined, user);
  expect(body).toMatchObject({ data: [{ status: "published" }], meta: { pagination: { total: 2 } } });
  const pagination = { page: 1, pageSize: 25 };
  const deleted = await ask("GET", "/articles/versions/deleted", undefined, user);
  expect(deleted.body).toEqual({ data: [], meta: { pagination } });
  expect((await ask("GET", "/articles/versions/deleted")).body).toMatchObject({ meta: { pagination: { total: 2 } } });
});

test("who may not read what a version leads to restores the rest, and the link stays", async () => {
  const uid = "api::author.author";
  const rules = [can(`${uid}.find`, { where: () => ({ slug: { $ne: "secret" } }) })];
  const { app, created, ask, data } = await world({ config: { permissions: { authenticated: rules } } });
  const may = ["find", "findOne", "readDraft", "update", "findVersions", "findVersion", "restoreVersion"];
  await app.allowUsers(`${uid}.find`, ...may.map((action) => `${article}.${action}`));
  const account = { username: "editor", email: "editor@example.test", password: "Passw0rd!" };
  const registered = await app.send("POST", "/api/auth/local/register", { body: account });
  const user = String(Object(registered.body).jwt);
  const [secret, other] = [
    (await data("POST", "/authors", { data: { name: "Secret", slug: "secret" } })).documentId,
    (await data("POST", "/authors", { data: { name: "Other", slug: "other" } })).documentId,
  ];
  const documentId = await created({ title: "One", slug: "one", author: secret }, "?status=draft");
  const path = `/articles/${documentId}`;
  await ask("PUT", `${path}?status=draft`, { data: { title: "Two" } });
  const [, { id }] = await data("GET", `${path}/versions`);
  const restored = await ask("POST", `${path}/versions/${id}/restore`, undefined, user);
  expect(restored).toMatchObject({ status: 200, body: { data: { title: "One" } } });
  const author = async () => (await data("GET", `${path}?status=draft&populate=author`)).author;
  expect(await author()).toMatchObject({ name: "Secret" });
  await ask("PUT", `${path}?status=draft`, { data: { author: other } });
  expect((await ask("POST", `${path}/versions/${id}/restore`, undefined, user)).status).toBe(200);
  expect(await author()).toBeNull();
});

test("whoever may read what is public only finds the public version of what was deleted", async () => {
  const { app, data, created, ask } = await world();
  const documentId = await created({ title: "One", slug: "one" });
  await ask("DELETE", `/articles/${documentId}`);
  const reader = await app.token(`${article}.findDeleted`);
  expect(await data("GET", "/articles/versions/deleted", undefined, reader)).toMatchObject([
    { documentId, status: "published" },
  ]);
  expect(await data("GET", "/articles/versions/deleted")).toMatchObject([{ documentId, status: "draft" }]);
});
