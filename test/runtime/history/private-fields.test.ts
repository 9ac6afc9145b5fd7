/** Versions tell nothing of private fields of entries, and to readers nothing of attributes that are gone. */
import { expect, test } from "vitest";
import { article, world } from "./versions-world.ts";

/** What a version says of a file that an entry had, and that is gone. */
const goneFor = async (privateAttributes: string[]) => {
  const { data, created, ask, database } = await world({
    config: { rest: { drafts: "readDraft", privateAttributes } },
  });
  const documentId = await created({ title: "One", slug: "one", seo: { metaTitle: "One" } });
  const [version] = await data("GET", `/articles/${documentId}/versions`);
  await database.rows(
    `update document_versions set content = jsonb_set(content::jsonb, '{seo,image}', '4711') where id = $1`,
    [version.id],
  );
  return (await ask("GET", `/articles/${documentId}/versions/${version.id}`)).body;
};

test("what is gone from a private field of an entry is told to nobody", async () => {
  expect(await goneFor([])).toMatchObject({ meta: { gone: [{ path: "seo.image", reason: "file", value: 4711 }] } });
  expect(await goneFor(["image"])).toMatchObject({ meta: { gone: [] } });
});

test("an attribute that the schema no longer has is named to those who may update, not to readers", async () => {
  const { data, created, ask, app, database } = await world();
  const documentId = await created({ title: "One", slug: "one" });
  await database.rows(
    `update document_versions set changed = '["salary", "title"]', content = jsonb_set(content::jsonb, '{salary}', '4711')`,
  );
  const versions = `/articles/${documentId}/versions`;
  const [version] = await data("GET", versions);
  const actions = ["find", "findOne", "readDraft", "findVersions", "findVersion"];
  const reader = await app.token(...actions.map((action) => `${article}.${action}`));
  const read = await ask("GET", `${versions}/${version.id}`, undefined, reader);
  expect(read).toMatchObject({ status: 200, body: { meta: { version: { changed: ["title"] }, gone: [] } } });
  const listed = await ask("GET", versions, undefined, reader);
  expect(`${read.text} ${listed.text}`).not.toMatch(/salary|4711/);
  const writer = await app.token(...[...actions, "update"].map((action) => `${article}.${action}`));
  const written = await ask("GET", `${versions}/${version.id}`, undefined, writer);
  expect(written.body).toMatchObject({
    meta: { version: { changed: ["salary", "title"] }, gone: [{ path: "salary", reason: "attribute" }] },
  });
  expect(written.text).not.toContain("4711");
});
