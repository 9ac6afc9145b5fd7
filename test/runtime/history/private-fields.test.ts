/** Versions tell nothing of private fields of entries. */
import { expect, test } from "vitest";
import { world } from "./versions-world.ts";

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
