/** Files that are deleted while documents are given them. */
import { expect, onTestFinished, test } from "vitest";
import { createTables } from "../../support/create-tables.ts";
import { freshDatabase } from "../../support/database.ts";
import { countingDeadlocks } from "../../support/deadlocks.ts";
import { articles, articlesGallery, form, mediaApp } from "../../support/media-app.ts";

const ROUNDS = 5;
const DOCUMENTS = 4;
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=", "base64");

test("a file is deleted whoever gives it to documents meanwhile, and no document keeps it", async () => {
  const database = await freshDatabase("postgres", onTestFinished, 12);
  await createTables(database, { articles, articlesGallery });
  const counted = countingDeadlocks(database);
  const { app } = await mediaApp(onTestFinished, { database: counted.database });
  const json = (method: string, path: string, data: object) =>
    app.request(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify({ data }) });
  const ids: string[] = [];
  while (ids.length < DOCUMENTS) {
    const created = await (await json("POST", "/api/articles", { title: "x" })).json();
    ids.push(created.data.documentId);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const uploaded = await app.request("/api/upload", {
      method: "POST",
      body: form({ name: "dot.gif", type: "image/gif", content: new Uint8Array(PIXEL) }),
    });
    const [{ id: file }] = await uploaded.json();
    const put = (id: string, data: object) => json("PUT", `/api/articles/${id}`, data);
    const both = { cover: file, gallery: [file] };
    const writing = (rank: number) =>
      ids.flatMap((id) => [put(id, both), put(id, { cover: file }), put(id, { ...both, rank })]);
    // The deletion comes when some have given it to theirs, and others are about to.
    const before = writing(round);
    const remove = () => app.request(`/api/upload/files/${file}`, { method: "DELETE" });
    const deletion = Promise.race(before).then(remove);
    const [deleted, ...written] = await Promise.all([deletion, ...before, ...writing(-round)]);
    expect(deleted?.status).toBe(200);
    // Whoever came too late is told that there is no such file.
    for (const { status } of written) expect([200, 400]).toContain(status);
    expect(await database.rows("select count(*)::int from articles where cover_id = $1", [file])).toEqual([[0]]);
  }
  expect(counted.deadlocks).toBe(0);
});
