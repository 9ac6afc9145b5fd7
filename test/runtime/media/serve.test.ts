import { afterAll, expect, test } from "vitest";
import { form, mediaApp } from "../../support/media-app.ts";

const { app } = await mediaApp(afterAll);

const upload = async (name: string, type: string, content: string): Promise<string> => {
  const answer = await app.request("/api/upload", { method: "POST", body: form({ name, type, content }) });
  const [{ url }] = await answer.json();
  return url;
};

const get = async (url: string, headers: Record<string, string> = {}, method = "GET") => {
  const answer = await app.request(url, { method, headers });
  return { status: answer.status, text: await answer.text(), header: (name: string) => answer.headers.get(name) };
};

const text = await upload("digits.txt", "text/plain", "0123456789");

test("a file comes whole, with its type, its length and nosniff", async () => {
  const { status, text: body, header } = await get(text);
  expect([status, body]).toEqual([200, "0123456789"]);
  expect(header("content-type")).toBe("text/plain; charset=utf-8");
  expect(header("content-length")).toBe("10");
  expect(header("accept-ranges")).toBe("bytes");
  expect(header("x-content-type-options")).toBe("nosniff");
});

test.each([
  ["bytes=0-3", "0123", "bytes 0-3/10"],
  ["bytes=7-", "789", "bytes 7-9/10"],
  ["bytes=-2", "89", "bytes 8-9/10"],
  ["bytes=-99", "0123456789", "bytes 0-9/10"],
  ["bytes=5-99", "56789", "bytes 5-9/10"],
])("the range %s comes alone", async (range, body, contentRange) => {
  const answer = await get(text, { range });
  expect([answer.status, answer.text, answer.header("content-range")]).toEqual([206, body, contentRange]);
  expect(answer.header("content-length")).toBe(String(body.length));
});

test.each(["bytes=10-", "bytes=99-100", "bytes=-0"])("the range %s is not in the file", async (range) => {
  const answer = await get(text, { range });
  expect([answer.status, answer.text, answer.header("content-range")]).toEqual([416, "", "bytes */10"]);
});

test.each(["bytes=3-1", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b", "bytes=-"])(
  "the range %s makes no sense here and is ignored",
  async (range) => {
    const answer = await get(text, { range });
    expect([answer.status, answer.text]).toEqual([200, "0123456789"]);
  },
);

test("a client that has the file gets 304, and one with an outdated part gets all of it", async () => {
  const etag = (await get(text)).header("etag") ?? "";
  expect((await get(text, { "if-none-match": etag })).status).toBe(304);
  expect((await get(text, { "if-none-match": '"other"' })).status).toBe(200);
  expect((await get(text, { "if-modified-since": new Date().toUTCString() })).status).toBe(304);
  expect((await get(text, { range: "bytes=0-1", "if-range": etag })).status).toBe(206);
  expect((await get(text, { range: "bytes=0-1", "if-range": '"other"' })).status).toBe(200);
  // A date has no fractions of a second, in which the file may have been replaced.
  const date = (await get(text)).header("last-modified") ?? "";
  expect((await get(text, { range: "bytes=0-1", "if-range": date })).status).toBe(200);
});

test("HEAD tells all but the bytes", async () => {
  const { status, text: body, header } = await get(text, {}, "HEAD");
  expect([status, body, header("content-length")]).toEqual([200, "", "10"]);
});

test.each([
  ["page.html", "text/html", "<script>alert(1)</script>", "text/html; charset=utf-8"],
  ["drawing.svg", "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "image/svg+xml"],
  ["feed.xml", "text/xml", "<?xml version='1.0'?><feed/>", "application/xml"],
  ["data.bin", "application/octet-stream", "x", "application/octet-stream"],
])("%s is handed out in a sandbox", async (name, type, content, served) => {
  const { header } = await get(await upload(name, type, content));
  expect(header("content-type")).toBe(served);
  expect(header("content-security-policy")).toMatch(/default-src 'none'.*sandbox$/);
  expect(header("x-content-type-options")).toBe("nosniff");
});

test("a script is handed out as text, which browsers do not run", async () => {
  const { header } = await get(await upload("app.js", "text/javascript", "alert(1)"));
  expect(header("content-type")).toBe("text/plain; charset=utf-8");
});

test.each([
  "/uploads/absent.txt",
  "/uploads/..%2f..%2fpackage.json",
  "/uploads/%2e%2e%2fpackage.json",
  "/uploads/..%5cpackage.json",
  "/uploads/.env",
  "/uploads/a%00.txt",
  "/uploads/",
])("%s is not found", async (path) => {
  expect((await get(path)).status).toBe(404);
});
