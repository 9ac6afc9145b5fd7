/** Versions of documents that are kept, read, compared and restored, over REST. */
import { expect, test } from "vitest";
import { system } from "../../../runtime/access/caller.ts";
import { defineExtension } from "../../../runtime/app/extension.ts";
import { deleteSurplus, openVersions } from "../../../runtime/history/versions/feature.ts";
import { article, keeping, tag, world } from "./versions-world.ts";

test("each version that is written or taken away is kept with who, when and what changed", async () => {
  const { data, created, ask } = await world();
  const documentId = await created({ title: "One", slug: "one" }, "?status=draft");
  const path = `/articles/${documentId}`;
  await ask("PUT", `${path}?status=draft`, { data: { title: "Two", featured: true } });
  await ask("POST", `${path}/actions/publish`);
  await ask("POST", `${path}/actions/unpublish`);
  const versions = await data("GET", `${path}/versions`);
  const by = { kind: "token", id: expect.any(Number) };
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(versions).toMatchObject([
    { action: "unpublish", status: "published", by, at, documentId, locale: "en", changed: [] },
    { action: "publish", status: "published", by, at, changed: null },
    { action: "update", status: "draft", by, at, changed: ["featured", "title"] },
    { action: "create", status: "draft", by, at, changed: null },
  ]);
  expect(await data("GET", `${path}/versions?status=draft&pagination[pageSize]=1`)).toMatchObject([
    { action: "update" },
  ]);
});

test("a version is answered as the document that it was, with what it led to as that is now", async () => {
  const { data, created, ask } = await world();
  const tagOf = async (name: string) => (await data("POST", "/tags", { data: { name, slug: name } })).documentId;
  const [red, blue] = [await tagOf("red"), await tagOf("blue")];
  const values = {
    title: "One",
    slug: "one",
    tags: [blue, red],
    sections: [{ __component: "blocks.quote", text: "Said" }],
  };
  const documentId = await created(values, "?status=draft");
  const path = `/articles/${documentId}`;
  const populate = "populate[tags][fields]=name&populate[sections]=true";
  const before = await data("GET", `${path}?status=draft&${populate}`);
  await ask("PUT", `${path}?status=draft`, { data: { title: "Two", slug: "two", tags: [], sections: [] } });
  await ask("PUT", `/tags/${red}`, { data: { name: "rot" } });
  const [, first] = await data("GET", `${path}/versions`);
  const answer = await ask("GET", `${path}/versions/${first.id}?${populate}`);
  expect(answer.body).toMatchObject({
    data: { ...before, tags: [{ name: "blue" }, { name: "rot" }] },
    meta: { version: { id: first.id, action: "create" }, gone: [] },
  });
  expect(Object.keys(Object(answer.body).data)).toEqual(Object.keys(before));
  await ask("DELETE", `/tags/${red}`);
  expect((await ask("GET", `${path}/versions/${first.id}?${populate}`)).body).toMatchObject({
    data: { tags: [{ name: "blue" }] },
    meta: { gone: [{ path: "tags.1", reason: "document", value: red }] },
  });
  const difference = await data("GET", `${path}/versions/${first.id}/difference?${populate}`);
  expect(difference).toMatchObject([
    { attribute: "title", from: "One", to: "Two" },
    { attribute: "slug", from: "one", to: "two" },
    { attribute: "tags", from: [{ name: "blue" }], to: [] },
    { attribute: "sections", from: [{ __component: "blocks.quote", text: "Said" }], to: [] },
  ]);
});

test("a version is restored as the draft, and what is public stays", async () => {
  const { data, created, ask } = await world();
  const documentId = await created({
    title: "One",
    slug: "one",
    sections: [{ __component: "blocks.quote", text: "A" }],
  });
  const path = `/articles/${documentId}`;
  await ask("PUT", path, { data: { title: "Two", sections: [] } });
  const versions = await data("GET", `${path}/versions`);
  const published = versions.findLast(({ action }: { action: string }) => action === "publish");
  const restored = await ask("POST", `${path}/versions/${published.id}/restore?populate=sections`);
  expect(restored).toMatchObject({
    status: 200,
    body: { data: { title: "One", publishedAt: null, sections: [{ text: "A" }] }, meta: { gone: [] } },
  });
  expect(await data("GET", path)).toMatchObject({ title: "Two" });
  const [newest] = await data("GET", `${path}/versions`);
  expect(newest).toMatchObject({
    action: "update",
    status: "draft",
    restored: published.id,
    changed: ["sections", "title"],
  });
});

test("a deleted document is listed and restored with its id, without what is gone", async () => {
  const { data, created, ask } = await world();
  const red = (await data("POST", "/tags", { data: { name: "red", slug: "red" } })).documentId;
  const documentId = await created({ title: "One", slug: "one", tags: [red] });
  await ask("PUT", `/articles/${documentId}?locale=de`, { data: { title: "Eins", slug: "eins" } });
  await ask("DELETE", `/articles/${documentId}?locale=*`);
  await ask("DELETE", `/tags/${red}`);
  const deleted = await data("GET", "/articles/versions/deleted");
  expect(deleted).toMatchObject([
    { action: "delete", status: "draft", documentId, locale: "de" },
    { action: "delete", status: "draft", documentId, locale: "en" },
  ]);
  const restored = await ask("POST", `/articles/${documentId}/versions/${deleted[1].id}/restore?populate=tags`);
  expect(restored).toMatchObject({
    status: 200,
    body: {
      data: { documentId, title: "One", locale: "en", publishedAt: null, tags: [] },
      meta: { gone: [{ path: "tags.0", reason: "document", value: red }] },
    },
  });
  expect(await data("GET", "/articles/versions/deleted")).toMatchObject([{ locale: "de" }]);
});

test("a type without drafts restores what is public", async () => {
  const { data, ask } = await world();
  const { documentId } = await data("POST", "/tags", { data: { name: "red", slug: "red" } });
  await ask("PUT", `/tags/${documentId}`, { data: { name: "rot" } });
  const versions = await data("GET", `/tags/${documentId}/versions`);
  expect(versions).toMatchObject([{ action: "update" }, { action: "create" }]);
  await ask("POST", `/tags/${documentId}/versions/${versions[1].id}/restore`);
  expect(await data("GET", `/tags/${documentId}`)).toMatchObject({ name: "red" });
});

test("an id that is none has no versions", async () => {
  const { data, created } = await world();
  await created({ title: "One", slug: "one" });
  expect(await data("GET", "/articles/%00/versions")).toEqual([]);
});

test("several who restore what was deleted at once all succeed", async () => {
  const { data, created, ask } = await world();
  const documentId = await created({ title: "One", slug: "one" }, "?status=draft");
  await ask("DELETE", `/articles/${documentId}`);
  const [{ id }] = await data("GET", "/articles/versions/deleted");
  const restoring = Array.from({ length: 6 }, () => ask("POST", `/articles/${documentId}/versions/${id}/restore`));
  const answers = await Promise.all(restoring);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
});

test("what a hook hides now is hidden in its versions, too", async () => {
  const served = keeping({ [article]: {} });
  const extension = defineExtension<typeof article>({
    hooks: { beforeRead: () => ({ filters: { title: { $ne: "Withdrawn" } } }) },
  });
  const { data, created, ask } = await world({ served: { ...served, extensions: { [article]: extension } } });
  const documentId = await created({ title: "One", slug: "one" });
  const path = `/articles/${documentId}`;
  const before = await data("GET", `${path}/versions`);
  expect(before).toHaveLength(2);
  await ask("PUT", path, { data: { title: "Withdrawn" } });
  expect((await ask("GET", path)).status).toBe(404);
  expect(await data("GET", `${path}/versions`)).toEqual([]);
  for (const { id } of before) expect((await ask("GET", `${path}/versions/${id}`)).status).toBe(404);
});

test("versions from before a type had locales are those of the default one", async () => {
  const { data, created, ask, database } = await world();
  const documentId = await created({ title: "One", slug: "one" }, "?status=draft");
  const path = `/articles/${documentId}`;
  await ask("PUT", `${path}?status=draft`, { data: { title: "Two" } });
  await database.rows("update document_versions set locale = ''");
  const { id } = (await data("GET", `${path}/versions`)).at(-1);
  expect(await data("GET", `${path}/versions/${id}`)).toMatchObject({ title: "One" });
  expect(await data("POST", `${path}/versions/${id}/restore`)).toMatchObject({ title: "One" });
  expect((await data("GET", `${path}/versions`))[0]).toMatchObject({ locale: "en", restored: id });
});

test("another locale that stands in for a deleted one is no later version of it", async () => {
  const locales = { default: "en", codes: ["en", "de"], fallback: { de: ["en"] } };
  const served = keeping({ [article]: {} });
  const { app, data, created, ask } = await world({ config: { locales }, served });
  const documentId = await created({ title: "One", slug: "one" });
  const path = `/articles/${documentId}`;
  await ask("PUT", `${path}?locale=de`, { data: { title: "Eins", slug: "eins" } });
  await ask("DELETE", `${path}?locale=de`);
  const [{ id: version }] = await data("GET", `${path}/versions?locale=de`);
  // As GraphQL asks.
  const context = { services: app.services, caller: system, fallsBack: true };
  const type = served.contentTypes[article]?.type;
  const found = type && (await app.services.versions?.compare(context, type, { documentId, version }, {}));
  expect(found).toContainEqual({ attribute: "title", from: "Eins", to: null });
});

test("what is more or older than a type keeps is deleted", async () => {
  const { app, data, created, ask, database } = await world({
    served: keeping({ [article]: { keep: 2 }, [tag]: { days: 30 } }),
  });
  const documentId = await created({ title: "0", slug: "one" }, "?status=draft");
  for (const title of ["1", "2", "3"]) await ask("PUT", `/articles/${documentId}?status=draft`, { data: { title } });
  const red = (await data("POST", "/tags", { data: { name: "red", slug: "red" } })).documentId;
  await database.rows("update document_versions set at = at - interval '31 days'");
  await ask("PUT", `/tags/${red}`, { data: { name: "rot" } });
  expect(await deleteSurplus(app.services)).toBe(3);
  expect(await data("GET", `/articles/${documentId}/versions`)).toMatchObject([
    { action: "update" },
    { action: "update" },
  ]);
  expect(await data("GET", `/tags/${red}/versions`)).toMatchObject([{ action: "update" }]);
});

test("a server that ends does not wait until all old versions are deleted", async () => {
  const { app, created, database } = await world({ served: keeping({ [article]: { keep: 1 } }) });
  await created({ title: "One", slug: "one" }, "?status=draft");
  await database.rows(`insert into document_versions (type, document_id, locale, status, action, at, content)
    select type, document_id, locale, status, action, at, content from document_versions, generate_series(1, 3000)`);
  const end = await openVersions().feature.start?.(app.services);
  await end?.();
  expect(await database.rows("select count(*)::int from document_versions")).toEqual([[2001]]);
});

/** The statements of a change of an article. */
const statementsOf = async (served: ReturnType<typeof keeping>) => {
  const { created, ask, statements } = await world({ served });
  const documentId = await created({ title: "One", slug: "one" }, "?status=draft");
  statements.length = 0;
  await ask("PUT", `/articles/${documentId}?status=draft`, { data: { title: "Two" } });
  const all = statements.map((statement) => JSON.stringify(statement));
  return { all, kept: all.filter((statement) => statement.includes("document_versions")) };
};

test("what is off costs no statement, and what is on two of them", async () => {
  const off = await statementsOf(keeping({ [tag]: {} }));
  const on = await statementsOf(keeping({ [article]: {} }));
  expect(off.kept).toEqual([]);
  expect(on.kept).toHaveLength(2);
  expect(on.all.length - off.all.length).toBe(2);
});

test("a version that SQL has written is kept before it is overwritten, as found and of nobody", async () => {
  const { data, created, ask, database } = await world();
  const documentId = await created({ title: "One", slug: "one" }, "?status=draft");
  await database.rows("update articles set title = 'By SQL' where document_id = $1", [documentId]);
  await ask("PUT", `/articles/${documentId}?status=draft`, { data: { title: "Two" } });
  expect(await data("GET", `/articles/${documentId}/versions`)).toMatchObject([
    { action: "update", changed: ["title"] },
    { action: "found", by: null, changed: ["title"] },
    { action: "create" },
  ]);
});

test("a type that has lost its drafts lists no versions that were drafts", async () => {
  const { created, data, database } = await world();
  const documentId = await created({ title: "One", slug: "one" });
  const red = await data("POST", "/tags", { data: { name: "red", slug: "red" } });
  await database.rows(
    `insert into document_versions (type, document_id, locale, status, action, at, content)
      select 'api::tag.tag', $1, '', 'draft', 'update', at, content from document_versions where document_id = $2 limit 1`,
    [red.documentId, documentId],
  );
  expect(await data("GET", `/tags/${red.documentId}/versions`)).toMatchObject([{ action: "create" }]);
});
