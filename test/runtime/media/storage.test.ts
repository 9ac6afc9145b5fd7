import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import S3rver from "s3rver";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { ByteRange, StorageProvider } from "../../../runtime/base/storage.ts";
import { localStorage } from "../../../runtime/media/local-storage.ts";
import { createRequest, s3Storage } from "../../../runtime/media/s3-storage.ts";
import { form, mediaApp } from "../../support/media-app.ts";

const folder = await mkdtemp(join(tmpdir(), "galley-storage-"));
const server = new S3rver({
  port: 0,
  address: "127.0.0.1",
  silent: true,
  directory: join(folder, "s3"),
  configureBuckets: [{ name: "files", configs: [] }],
});
const { port } = await server.run();
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = {
  bucket: "files",
  region: "us-east-1",
  endpoint: `http://127.0.0.1:${port}`,
  accessKeyId: "S3RVER",
  secretAccessKey: "S3RVER",
  prefix: "site/",
  idleSeconds: 20,
  requestSeconds: 120,
};
const providers: readonly [string, StorageProvider][] = [
  ["the local disk", localStorage(join(folder, "local"))],
  ["S3", s3Storage(settings)],
];

const listed = async (storage: StorageProvider): Promise<Record<string, number>> => {
  const sizes: Record<string, number> = {};
  for await (const { key, size } of storage.list()) sizes[key] = size;
  return sizes;
};

const read = async (storage: StorageProvider, key: string, range?: ByteRange): Promise<Buffer> => {
  const body = await storage.read(key, range);
  return body ? buffer(body) : Buffer.from(`there is no ${key}`);
};

const failing = async function* () {
  yield randomBytes(9_000_000);
  throw new Error("the sender went away");
};

const put = (storage: StorageProvider, key: string, bytes: Buffer) =>
  storage.put(key, Readable.from([bytes]), { size: bytes.length, mime: "text/plain", attachment: false });

test.each(providers)(
  "%s keeps what it was given, in whole and in part, until it is deleted",
  async (_name, storage) => {
    await put(storage, "a.txt", Buffer.from("0123456789"));
    expect(await storage.stat("a.txt")).toMatchObject({ size: 10, modified: expect.any(Date) });
    expect((await read(storage, "a.txt")).toString()).toBe("0123456789");
    expect((await read(storage, "a.txt", { start: 2, end: 4 })).toString()).toBe("234");
    await put(storage, "a.txt", Buffer.from("other"));
    expect(await listed(storage)).toEqual({ "a.txt": 5 });
    await storage.delete("a.txt");
    await storage.delete("a.txt");
    expect([await storage.stat("a.txt"), await storage.read("a.txt")]).toEqual([undefined, undefined]);
    expect(await listed(storage)).toEqual({});
  },
);

test.each(providers)("%s takes objects larger than one part, and empty ones", async (_name, storage) => {
  const bytes = randomBytes(17_000_000);
  await put(storage, "large.bin", bytes);
  await put(storage, "empty.bin", Buffer.alloc(0));
  expect((await read(storage, "large.bin")).equals(bytes)).toBe(true);
  expect(await listed(storage)).toEqual({ "large.bin": 17_000_000, "empty.bin": 0 });
  await storage.delete("large.bin");
  await storage.delete("empty.bin");
});

test.each(providers)(
  "%s keeps nothing of a stream that breaks off, and what was there before stays",
  async (_name, storage) => {
    await put(storage, "kept.bin", Buffer.from("before"));
    const broken = storage.put("kept.bin", Readable.from(failing()), {
      size: 10_000_000,
      mime: "text/plain",
      attachment: false,
    });
    await expect(broken).rejects.toThrow("the sender went away");
    expect(await listed(storage)).toEqual({ "kept.bin": 6 });
    await storage.delete("kept.bin");
  },
);

test("the local disk lists what a crash left and no hidden files", async () => {
  const own = join(folder, "crashed");
  const storage = localStorage(own);
  expect(await listed(storage)).toEqual({});
  await storage.put("a.txt", Readable.from([Buffer.from("a")]), { size: 1, mime: "text/plain", attachment: false });
  await writeFile(join(own, ".gitkeep"), "");
  await writeFile(join(own, ".b.txt.0a1b2c.part"), "half");
  expect(await listed(storage)).toEqual({ "a.txt": 1, ".b.txt.0a1b2c.part": 4 });
  expect(await readdir(own)).toHaveLength(3);
});

test("objects in a bucket have the public address where there is one, and one of this server otherwise", () => {
  expect(s3Storage(settings).url("a.png")).toBe("/uploads/a.png");
  expect(s3Storage({ ...settings, publicUrl: "https://cdn.test/x/" }).url("a.png")).toBe(
    "https://cdn.test/x/site/a.png",
  );
});

test("what S3 refuses is an error that says why", async () => {
  const storage = s3Storage({ ...settings, bucket: "absent" });
  const put = storage.put("a.txt", Readable.from([Buffer.from("a")]), {
    size: 1,
    mime: "text/plain",
    attachment: false,
  });
  await expect(put).rejects.toThrow("S3 refused to store an object: 404");
});

test("a bucket hands files out as what they are, and what a browser would run as an attachment", async () => {
  const config = { media: { provider: "s3", s3: { ...settings, publicUrl: "https://cdn.test" } } } as const;
  const { app } = await mediaApp(onTestFinished, { config });
  const script = "<script>alert(1)</script>";
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>';
  for (const [name, type, content, mime, disposition] of [
    ["pic.png", "text/html", script, "application/octet-stream", "attachment"],
    ["notes.txt", "text/html; charset=utf-8", script, "text/plain", null],
    ["page.html", "text/html", script, "text/html", "attachment"],
    ["page", "text/html", script, "text/html", "attachment"],
    ["drawing.png", "image/png", svg, "image/svg+xml", "attachment"],
    ["large.css", "text/css", " ".repeat(9_000_000), "text/css", "attachment"],
  ] as const) {
    const sent = await app.request("/api/upload", { method: "POST", body: form({ name, type, content }) });
    const [file] = await sent.json();
    const kept = await createRequest(settings)(file.url.replace("https://cdn.test/", ""), { method: "GET" });
    await kept.body?.cancel();
    const { headers } = kept;
    const found = [name, file.mime, headers.get("content-type"), headers.get("content-disposition")];
    expect(found).toEqual([name, mime, mime, disposition]);
  }
});

test("uploads go to the bucket, are handed out from there in ranges, and leave it when they are deleted", async () => {
  const config = { media: { provider: "s3", s3: { ...settings, prefix: "app/" } } } as const;
  const { app } = await mediaApp(onTestFinished, { config });
  const body = form({ name: "a.txt", type: "text/plain", content: "0123456789" });
  const [file] = await (await app.request("/api/upload", { method: "POST", body })).json();
  expect(file).toMatchObject({ provider: "aws-s3", url: `/uploads/${file.hash}.txt` });
  const bucket = s3Storage({ ...settings, prefix: "app/" });
  expect(await listed(bucket)).toEqual({ [`${file.hash}.txt`]: 10 });
  const part = await app.request(file.url, { headers: { range: "bytes=2-4" } });
  expect([part.status, await part.text(), part.headers.get("content-type")]).toEqual([
    206,
    "234",
    "text/plain; charset=utf-8",
  ]);
  await app.request(`/api/upload/files/${file.id}`, { method: "DELETE" });
  expect(await listed(bucket)).toEqual({});
});

test("a file in a bucket that is replaced by one of the same size in the same second is another one", async () => {
  const config = { media: { provider: "s3", s3: { ...settings, prefix: "replaced/" } } } as const;
  const { app } = await mediaApp(onTestFinished, { config });
  const upload = async (content: string, query = "") => {
    const body = form({ name: "a.txt", type: "text/plain", content });
    return (await app.request(`/api/upload${query}`, { method: "POST", body })).json();
  };
  const [file] = await upload("one");
  const ask = async (headers: Record<string, string>) => {
    const answer = await app.request(file.url, { headers });
    return { found: [answer.status, await answer.text()], etag: answer.headers.get("etag") ?? "" };
  };
  const { found, etag } = await ask({});
  expect(found).toEqual([200, "one"]);
  expect((await ask({ "if-none-match": etag })).found).toEqual([304, ""]);
  // Replacing takes less than the second that the bucket tells apart; where it does not, the time alone shows it.
  await upload("two", `?id=${file.id}`);
  expect((await ask({ "if-none-match": etag })).found).toEqual([200, "two"]);
  expect((await ask({ range: "bytes=1-", "if-range": etag })).found).toEqual([200, "two"]);
});
