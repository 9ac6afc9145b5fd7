/** What of uploads and downloads happens when a bucket or a disk fails or does not answer. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { form, mediaApp } from "../../support/media-app.ts";
import { memoryStorage } from "../../support/memory-storage.ts";
import { SOON } from "../../support/soon.ts";

const NOTE = { name: "a.txt", type: "text/plain", content: "a" };

/** A media server before a bucket that answers in this way. */
const before = async (listener: RequestListener) => {
  const bucket = createServer(listener);
  await new Promise<void>((resolve) => bucket.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    bucket.closeAllConnections();
    bucket.close();
  });
  const { port } = z.object({ port: z.number() }).parse(bucket.address());
  const s3 = {
    bucket: "files",
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId: "a",
    secretAccessKey: "b",
    idleSeconds: 0.2,
    requestSeconds: 0.3,
  };
  return mediaApp(onTestFinished, { config: { media: { provider: "s3", s3 } } });
};

const upload = { method: "POST" } as const;

test("a bucket that does not answer gives 503 with Retry-After, for uploads, downloads and replacements", async () => {
  const { app, unfinished } = await before(() => {});
  const answer = await app.request("/api/upload", { ...upload, body: form(NOTE) });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await answer.json()).toMatchObject({ error: { message: "The storage of files is not available" } });
  expect((await app.request("/uploads/x.txt")).status).toBe(503);
  expect(await unfinished()).toEqual([]);
  expect(await (await app.request("/api/upload/files")).json()).toEqual([]);
});

test("a bucket that stops in the middle of a file ends the download, and one that refuses gives 503", async () => {
  const { app } = await before((request, response) => {
    if (request.method === "PUT") return void response.writeHead(403).end("<Error>no</Error>");
    response.writeHead(200, { "content-length": "100", "last-modified": new Date().toUTCString() });
    if (request.method === "GET") response.write("begun");
    else response.end();
  });
  expect((await app.request("/api/upload", { ...upload, body: form(NOTE) })).status).toBe(503);
  const answer = await app.request("/uploads/x.txt");
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

test("a file is deleted although its bucket does not answer, and its object is tried again", async () => {
  const storage = memoryStorage();
  let failures = 1;
  const provider = {
    ...storage,
    async delete(key: string) {
      if (failures-- > 0) throw new Error("unreachable");
      await storage.delete(key);
    },
  };
  const { app, services } = await mediaApp(onTestFinished, { config: { media: { provider } } });
  const [file] = await (await app.request("/api/upload", { ...upload, body: form(NOTE) })).json();
  expect((await app.request(`/api/upload/files/${file.id}`, { method: "DELETE" })).status).toBe(200);
  expect(storage.objects.size).toBe(1);
  const { inspectMedia } = await import("../../../runtime/media/inspect.ts");
  expect((await inspectMedia(services, 0)).orphans).toEqual([`${file.hash}.txt`]);
  const { discardForGood } = await import("../../../runtime/media/objects.ts");
  failures = 1;
  await discardForGood(services, [`${file.hash}.txt`], [1]);
  await expect.poll(() => storage.objects.size, SOON).toBe(0);
});

test("a disk that takes no uploads gives 503", async () => {
  const { app, root } = await mediaApp(onTestFinished);
  await mkdir(path.join(root, ".cms"), { recursive: true });
  await rm(path.join(root, ".cms/tmp"), { recursive: true, force: true });
  await writeFile(path.join(root, ".cms/tmp"), "");
  expect((await app.request("/api/upload", { ...upload, body: form(NOTE) })).status).toBe(503);
  await rm(path.join(root, ".cms/tmp"));
  await rm(path.join(root, "public"), { recursive: true, force: true });
  await writeFile(path.join(root, "public"), "");
  expect((await app.request("/api/upload", { ...upload, body: form(NOTE) })).status).toBe(503);
});
