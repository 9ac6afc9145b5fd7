/** Files that are uploaded into an entry while others write it. */
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { textAt } from "../../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const uid = "api::article.article";
const database = await exampleDatabase();
const app = await exampleApp(afterAll, database, { locales: { codes: ["en", "fr"] } });
const token = await app.token();

const create = async (slug: string): Promise<string> => {
  const created = await app.send("POST", "/api/articles", { token, body: { data: { title: slug, slug } } });
  return textAt(created.body, "data.documentId");
};

const uploadTo = (refId: string, field: string): ReturnType<typeof app.upload> =>
  app.upload(
    [
      { name: "a.svg", type: "image/svg+xml", content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      { field: "ref", content: uid },
      { field: "refId", content: refId },
      { field: "field", content: field },
    ],
    token,
  );

test("a file goes into an entry when nobody else writes it", async () => {
  const documentId = await create("x");
  const progress = { isDone: false };
  const upload = async () => {
    const answer = await uploadTo(documentId, "cover");
    progress.isDone = true;
    return answer;
  };
  const isAwaited = async (): Promise<boolean> =>
    (
      await database.rows(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).length > 0;
  const uploaded = await database.transaction(async (session) => {
    // As a write does, which reads the versions then and changes them in the end.
    await session.rows("select 1 from documents where document_id = $1 for no key update", [documentId]);
    const uploading = upload();
    while (!progress.isDone && !(await isAwaited())) await setImmediate();
    expect(progress.isDone).toBe(false);
    return { uploading };
  });
  expect((await uploaded.uploading).status).toBe(201);
  const covers = await database.rows("select cover_id is null from articles where document_id = $1", [documentId]);
  expect(covers).toEqual([[false], [false]]);
});

test("a file in an attribute that is not localized is in every locale, and stays when another one is published", async () => {
  const documentId = await create("everywhere");
  const french = (title: string) =>
    app.send("PUT", `/api/articles/${documentId}?locale=fr`, { token, body: { data: { title, slug: title } } });
  expect((await french("partout")).status).toBe(200);
  for (const field of ["cover", "gallery", "gallery"]) expect((await uploadTo(documentId, field)).status).toBe(201);
  const draft = "select id from articles where document_id = $1 and locale = 'en' and published_at is null";
  const [row] = await database.rows(draft, [documentId]);
  expect((await uploadTo(String(row?.[0]), "gallery")).status).toBe(201);
  const filesOf = () =>
    database.rows(
      `select status, locale, count(cover_id)::int, sum((select count(*) from articles_gallery where version_id = id))::int
       from (select *, case when published_at is null then 'draft' else 'published' end as status from articles) a
       where document_id = $1 group by 1, 2 order by 1, 2`,
      [documentId],
    );
  expect(await filesOf()).toEqual([
    ["draft", "en", 1, 3],
    ["draft", "fr", 1, 3],
    ["published", "en", 1, 2],
    ["published", "fr", 1, 2],
  ]);
  expect((await french("encore")).status).toBe(200);
  expect((await filesOf()).map(([, , , files]) => files)).toEqual([3, 3, 3, 3]);
});
