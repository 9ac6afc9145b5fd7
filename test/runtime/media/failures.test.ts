import { mkdir, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Database, Transaction } from "../../../runtime/database/database.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { inWorkspace, sweepAbandoned } from "../../../runtime/media/media.ts";
import { storeFile } from "../../../runtime/media/store.ts";
import { createTables } from "../../support/create-tables.ts";
import { freshDatabase, freshPostgresUrl } from "../../support/database.ts";
import { articles, articlesGallery, form, mediaApp } from "../../support/media-app.ts";
import { memoryStorage } from "../../support/memory-storage.ts";
import { SOON } from "../../support/soon.ts";
import { wireTo } from "../../support/wire.ts";

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
  expect((await app.request("/api/upload", { method: "POST", body })).status).toBe(503);
  await expect.poll(() => storage.objects.size, SOON).toBe(0);
  expect(await unfinished()).toEqual([]);
  expect(await (await app.request("/api/upload/files")).json()).toEqual([]);
});

test("an upload of several files whose last one fails keeps none of them", async () => {
  const { app, storage } = await withMemory();
  storage.failAfter(2);
  const files = ["a.txt", "b.txt", "c.txt"].map((name) => ({ name, content: name }));
  expect((await app.request("/api/upload", { method: "POST", body: form(...files) })).status).toBe(503);
  await expect.poll(() => storage.objects.size, SOON).toBe(0);
  expect(await (await app.request("/api/upload/files")).json()).toEqual([]);
});

test("of two who replace a file at once, record and bytes are of the same one", async () => {
  const storage = memoryStorage();
  const meanwhile: (() => Promise<unknown>)[] = [];
  const provider = {
    ...storage,
    async put(...stored: Parameters<typeof storage.put>) {
      await storage.put(...stored);
      await meanwhile.pop()?.();
    },
  };
  const { app } = await mediaApp(onTestFinished, { config: { media: { provider } } });
  const upload = async (query: string, content: string | Uint8Array<ArrayBuffer>, name: string) => {
    const body = form({ name, content });
    const answer = await app.request(`/api/upload${query}`, { method: "POST", body });
    return { status: answer.status, body: await answer.json() };
  };
  const [file] = (await upload("", "first", "a.png")).body;
  const query = `?id=${file.id}`;
  meanwhile.push(async () => expect((await upload(query, await picture(), "a.png")).status).toBe(200));
  expect((await upload(query, "the second of them", "a.png")).status).toBe(200);
  const shown = await (await app.request(`/api/upload/files/${file.id}`)).json();
  expect([...storage.objects.values()].map(String)).toEqual(["the second of them"]);
  expect(shown).toMatchObject({ size: 0.02, width: null });
});

test("an upload whose connection is lost while it is being committed keeps its bytes", async () => {
  const url = new URL(await freshPostgresUrl(onTestFinished));
  const direct = await openPostgres(url.href, 2);
  const between = await wireTo(url);
  url.port = String(between.port);
  const database = await openPostgres(url.href, 4, { statementSeconds: 120, lockSeconds: 120 });
  onTestFinished(async () => {
    await Promise.all([database.close(), direct.close()]);
    await between.cut();
  });
  await createTables(direct, { articles, articlesGallery });
  const { app, storage } = await withMemory(database);
  // The commit waits for this lock.
  await direct.script(`create function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(1); return null; end $$;
    create constraint trigger hold after insert on files initially deferred for each row execute function hold()`);
  const waiting = async (count: number): Promise<void> => {
    const sql =
      "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(() => direct.rows(sql), SOON).toEqual([[count]]);
  };
  const { answer } = await direct.transaction(async (session) => {
    await session.rows("select pg_advisory_xact_lock(1)");
    const body = form({ name: "a.txt", content: "a" });
    const uploading = Promise.resolve(app.request("/api/upload", { method: "POST", body }));
    await waiting(1);
    await between.cut();
    await between.mend();
    await Promise.race([waiting(2), uploading]);
    return { answer: uploading };
  });
  expect((await answer).status).toBe(503);
  const recorded = () => direct.rows("select hash || ext from files");
  await expect.poll(recorded, SOON).toHaveLength(1);
  expect([[...storage.objects.keys()]]).toEqual(await recorded());
});

test("an upload of several files of which an attribute takes one only keeps none of them", async () => {
  const { app, storage, database } = await withMemory();
  const [row] = await database.rows(
    `with d as (insert into documents values ('a', 'api::article.article') returning document_id)
     insert into articles (document_id, created_at, updated_at, published_at)
     select document_id, now(), now(), now() from d returning id`,
  );
  const target = [
    { field: "ref", content: "api::article.article" },
    { field: "refId", content: String(row?.[0]) },
    { field: "field", content: "cover" },
  ];
  const files = [
    { name: "a.png", content: await picture() },
    { name: "b.txt", content: "b" },
  ];
  expect((await app.request("/api/upload", { method: "POST", body: form(...files, ...target) })).status).toBe(400);
  await expect.poll(() => storage.objects.size, SOON).toBe(0);
  expect(await (await app.request("/api/upload/files")).json()).toEqual([]);
});

/** A database whose first transaction breaks, before or after it was committed. */
const refusing = (database: Database, committed: boolean): Database => {
  let isBroken = false;
  return {
    ...database,
    async transaction<Result>(work: (session: Transaction) => Promise<Result>): Promise<Result> {
      if (isBroken) return database.transaction(work);
      isBroken = true;
      if (committed) await database.transaction(work);
      throw new Error("the connection broke");
    },
  };
};

test.each([
  ["before it was written", false, 0, 0],
  ["after it was committed", true, 1, 1],
])("when the database breaks %s, there are bytes exactly when there is a record", async (_when, late, rows, bytes) => {
  const database = await freshDatabase("postgres", onTestFinished);
  await createTables(database, {});
  const { services, storage } = await withMemory(refusing(database, late));
  const storing = storeFile(services, { name: "a.txt", type: "text/plain", content: Buffer.from("a") });
  await expect(storing).rejects.toThrow("the connection broke");
  expect(await database.rows("select name from files")).toHaveLength(rows);
  // Bytes without a record are deleted after the answer.
  await expect.poll(() => storage.objects.size, SOON).toBe(bytes);
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

test("what a killed process left of uploads is swept away, and what is in use is kept", async () => {
  const { app, services, root, stored, unfinished } = await mediaApp(onTestFinished);
  await app.request("/api/upload", { method: "POST", body: form({ name: "a.txt", content: "a" }) });
  const [kept] = await stored();
  const [workspace, uploads] = [path.join(root, ".cms/tmp"), path.join(root, "public/uploads")];
  const folders = ["upload-old", "upload-new"].map((name) => path.join(workspace, name));
  const parts = [".old.txt.1.part", ".new.txt.2.part"].map((name) => path.join(uploads, name));
  for (const folder of folders) await mkdir(folder);
  for (const file of [...parts, ...folders.map((folder) => path.join(folder, "0"))]) await writeFile(file, "half of");
  const longAgo = new Date(Date.now() - 3_600_000);
  for (const name of [folders[0], parts[0], path.join(uploads, kept ?? "")]) await utimes(name ?? "", longAgo, longAgo);
  await sweepAbandoned(services.media);
  expect(await unfinished()).toEqual(["upload-new"]);
  expect(await stored()).toEqual([".new.txt.2.part", kept]);
});

test("a folder that files are taken into for long is touched, so that nobody sweeps it away", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { services } = await mediaApp(onTestFinished);
  await inWorkspace(services.media, async (folder) => {
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(folder, longAgo, longAgo);
    await vi.advanceTimersByTimeAsync(61_000);
    await vi.waitFor(async () => expect((await stat(folder)).mtimeMs).toBeGreaterThan(longAgo.getTime()), SOON);
    await sweepAbandoned(services.media);
    expect((await stat(folder)).isDirectory()).toBe(true);
  });
});
