import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import type { Database, Transaction } from "../../../runtime/database/database.ts";
import { storeFile } from "../../../runtime/media/store.ts";
import { createTables } from "../../support/create-tables.ts";
import { freshDatabase } from "../../support/database.ts";
import { form, mediaApp } from "../../support/media-app.ts";
import { memoryStorage } from "../../support/memory-storage.ts";

const picture = async (): Promise<Uint8Array<ArrayBuffer>> => {
  const blank = sharp({ create: { width: 600, height: 400, channels: 3, background: "red" } });
  return new Uint8Array(await blank.png().toBuffer());
};

const withMemory = async (database?: Database) => {
  const storage = memoryStorage();
  const config = { media: { provider: storage } };
  return { storage, ...(await mediaApp(onTestFinished, { config, ...(database ? { database } : {}) })) };
};

test("a provider of the user's own keeps the files and gives their addresses", async () => {
  const { app, storage, stored } = await withMemory();
  const answer = await app.request("/api/upload", {
    method: "POST",
    body: form({ name: "a.png", content: await picture() }),
  });
  const [file] = await answer.json();
  expect(file).toMatchObject({
    provider: "memory",
    url: `https://files.test/${file.hash}.png`,
    formats: { small: { url: `https://files.test/small_${file.hash}.png` } },
  });
  expect([...storage.objects.keys()].toSorted()).toEqual(
    [`${file.hash}.png`, `small_${file.hash}.png`, `thumbnail_${file.hash}.png`].toSorted(),
  );
  expect(await stored()).toEqual([]);
  expect((await app.request(`/uploads/${file.hash}.png`, { headers: { range: "bytes=1-3" } })).status).toBe(206);
  await app.request(`/api/upload/files/${file.id}`, { method: "DELETE" });
  expect(storage.objects.size).toBe(0);
});

test("a storage that fails half way leaves neither bytes nor a record", async () => {
  const { app, storage, unfinished } = await withMemory();
  storage.failAfter(2);
  const body = form({ name: "a.png", content: await picture() });
  expect((await app.request("/api/upload", { method: "POST", body })).status).toBe(500);
  expect(storage.objects.size).toBe(0);
  expect(await unfinished()).toEqual([]);
  expect(await (await app.request("/api/upload/files")).json()).toEqual([]);
});

/** A database that refuses new files, before or after they were committed. */
const refusing = (database: Database, committed: boolean): Database => ({
  ...database,
  async transaction<Result>(work: (session: Transaction) => Promise<Result>): Promise<Result> {
    if (committed) await database.transaction(work);
    throw new Error("the connection broke");
  },
});

test.each([
  ["before it was written", false, 0, 0],
  ["after it was committed", true, 1, 1],
])("when the database breaks %s, there are bytes exactly when there is a record", async (_when, late, rows, bytes) => {
  const database = await freshDatabase("pglite", onTestFinished);
  await createTables(database, {});
  const { services, storage } = await withMemory(refusing(database, late));
  const storing = storeFile(services, { name: "a.txt", type: "text/plain", content: Buffer.from("a") });
  await expect(storing).rejects.toThrow("the connection broke");
  expect(await database.rows("select name from files")).toHaveLength(rows);
  expect(storage.objects.size).toBe(bytes);
});

async function* digits(): AsyncIterable<Uint8Array> {
  yield Buffer.from("12345");
  yield Buffer.from("67890");
}

test("code stores files within the limits of uploads", async () => {
  const { services } = await mediaApp(onTestFinished, { config: { media: { sizeLimit: 10 } } });
  const options = { type: "text/plain", alternativeText: "digits", focalPoint: { x: 1, y: 2 } };
  const file = await storeFile(services, { name: "a.txt", content: digits(), ...options });
  expect(file).toMatchObject({ name: "a.txt", size: 0.01, alternativeText: "digits", focalPoint: { x: 1, y: 2 } });
  await expect(storeFile(services, { name: "b.txt", content: Buffer.alloc(11) })).rejects.toThrow("FileTooBig");
});
