/** Files that are uploaded into an entry while others write it. */
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { textAt } from "../../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const uid = "api::article.article";
const database = await exampleDatabase();
const app = await exampleApp(afterAll, database);
const token = await app.token();

test("a file goes into an entry when nobody else writes it", async () => {
  const created = await app.send("POST", "/api/articles", { token, body: { data: { title: "x", slug: "x" } } });
  const documentId = textAt(created.body, "data.documentId");
  const progress = { isDone: false };
  const upload = async () => {
    const answer = await app.upload(
      [
        { name: "a.svg", type: "image/svg+xml", content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
        { field: "ref", content: uid },
        { field: "refId", content: documentId },
        { field: "field", content: "cover" },
      ],
      token,
    );
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
