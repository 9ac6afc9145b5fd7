import { connect } from "node:net";
import { deflateSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import { listen } from "../../../runtime/http/listen.ts";
import { form, mediaApp, type Part } from "../../support/media-app.ts";
import { SOON } from "../../support/soon.ts";

const server = await mediaApp(afterAll, { config: { media: { sizeLimit: 100_000 } } });
const { app, stored, unfinished } = server;

const post = async (...parts: Part[]) => {
  const answer = await app.request("/api/upload", { method: "POST", body: form(...parts) });
  return { status: answer.status, body: await answer.json() };
};

const remove = async (files: readonly { id: number }[]) => {
  for (const { id } of files) await app.request(`/api/upload/files/${id}`, { method: "DELETE" });
};

/** What could not be recorded is deleted after the answer. */
const nothingIsLeft = () => expect.poll(async () => [await stored(), await unfinished()], SOON).toEqual([[], []]);

const png = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "red" } })
    .png()
    .toBuffer();

test.each([
  ["../../../etc/passwd", "passwd"],
  ["..\\..\\boot.ini", "boot.ini"],
  ["/etc/shadow", "shadow"],
  ["a\u0000b\u202etxt.png", "abtxt.png"],
  ["\u0007", "file"],
  [`${"x".repeat(5000)}.txt`, "x".repeat(255)],
])("the name %j reaches neither another folder nor the list as it is", async (name, kept) => {
  const { status, body } = await post({ name, type: "text/plain", content: "x" });
  expect(status).toBe(201);
  expect(body[0].name).toBe(kept);
  expect(body[0].url).toMatch(/^\/uploads\/[\w.-]{1,255}$/);
  expect(await stored()).toEqual([`${body[0].hash}${body[0].ext ?? ""}`]);
  await remove(body);
  await nothingIsLeft();
});

test.each([
  ["page.html", "image/png"],
  ["drawing.svg", "image/svg+xml"],
  ["code.js", "text/javascript"],
])("an image cannot be called %s", async (name, type) => {
  const { status, body } = await post({ name, type, content: new Uint8Array(await png(8, 8)) });
  expect([status, body.error.name]).toEqual([400, "ValidationError"]);
  await nothingIsLeft();
});

/** A drawing that takes ages to measure by what is inside: each group shows the one before it twice. */
const nested = (depth: number): string => {
  const groups = Array.from(
    { length: depth },
    (_, index) => `<g id="g${index + 1}"><use href="#g${index}"/><use href="#g${index}" x="1"/></g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg"><defs><g id="g0"><path d="M0 0h1v1z"/></g>${groups.join("")}</defs><use href="#g${depth}"/></svg>`;
};

test.each(["heic", "avif", "mif1"])("a drawing behind the mark of %s is not measured as one", async (brand) => {
  const content = `<!--ftyp${brand}-->${nested(18)}`;
  const { status, body } = await post({ name: "photo.heic", type: "image/heic", content });
  expect([status, body[0]]).toEqual([
    201,
    expect.objectContaining({ mime: "application/octet-stream", width: null, formats: null }),
  ]);
  await remove(body);
});

test("content that is no image is not recorded as one, whatever it claims", async () => {
  const { body } = await post({ name: "photo.png", type: "image/png", content: "<script>alert(1)</script>" });
  expect(body[0]).toMatchObject({ mime: "application/octet-stream", width: null, formats: null });
  expect((await app.request(body[0].url)).headers.get("x-content-type-options")).toBe("nosniff");
  await remove(body);
});

test.each([
  ["a picture that is a script too", Buffer.from("GIF89a/*\u0001\u0001*/=1;alert(1)")],
  ["a picture cut in half", (await png(64, 64)).subarray(0, 60)],
])("%s is refused", async (_what, content) => {
  const { status, body } = await post({ name: "a.gif", type: "image/gif", content: new Uint8Array(content) });
  expect([status, body.error.message]).toEqual([400, "a.gif: the image cannot be read"]);
  await nothingIsLeft();
});

/** A PNG whose header announces the pixels, with a few bytes of image data. */
const bomb = (width: number, height: number): Uint8Array<ArrayBuffer> => {
  const table = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const crc = (bytes: Buffer) =>
    (bytes.reduce((sum, byte) => (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(data.length, 0);
    body.copy(frame, 4);
    frame.writeUInt32BE(crc(body), body.length + 4);
    return frame;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const data = deflateSync(Buffer.alloc(1000));
  return new Uint8Array(
    Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]),
  );
};

test("an image of more pixels than allowed is refused before it is decoded", async () => {
  const { status, body } = await post({ name: "huge.png", type: "image/png", content: bomb(60_000, 60_000) });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining("60000 × 60000 pixels")]);
  await nothingIsLeft();
});

test("a compressed bomb is stored as it is and never unpacked", async () => {
  const content = new Uint8Array(gzipSync(Buffer.alloc(50_000_000)));
  const { body } = await post({ name: "bomb.gz", type: "application/gzip", content });
  expect(body[0]).toMatchObject({ mime: "application/gzip", size: Math.round(content.length / 10) / 100 });
  await remove(body);
});

test("a file over the limit ends the request, whatever else is in it", async () => {
  const { status, body } = await post(
    { name: "small.txt", content: "small" },
    { name: "large.bin", content: "x".repeat(100_001) },
  );
  expect([status, body.error]).toEqual([413, { status: 413, name: "PayloadTooLargeError", message: "FileTooBig" }]);
  await nothingIsLeft();
});

test("an endless file is given up while it comes", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      const start = sent === 0 ? '--b\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\n' : "";
      const chunk = Buffer.from(start + "x".repeat(16_384));
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const init = { method: "POST", headers, body: endless, duplex: "half" };
  const request = new Request("http://test/api/upload", init);
  expect((await app.request(request)).status).toBe(413);
  expect(sent).toBeLessThan(1_000_000);
  await nothingIsLeft();
});

const raw = (body: string, contentType = "multipart/form-data; boundary=b") =>
  app.request("/api/upload", { method: "POST", headers: { "content-type": contentType }, body });

test.each([
  ["no boundary", "x", "multipart/form-data"],
  ["no end", '--b\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nabc', undefined],
  ["nothing at all", "", undefined],
  ["no parts", "garbage", undefined],
  [
    "a text that is too long",
    `--b\r\ncontent-disposition: form-data; name="x"\r\n\r\n${"x".repeat(1_100_000)}\r\n--b--`,
    undefined,
  ],
  [
    "texts that are too long together",
    `--b\r\ncontent-disposition: form-data; name="x"\r\n\r\n${"x".repeat(800_000)}\r\n`.repeat(3) + "--b--",
    undefined,
  ],
  [
    "a part that nobody takes and that is too large",
    `--b\r\ncontent-disposition: form-data; name="x"; filename="x"\r\n\r\n${"x".repeat(200_000)}\r\n--b--`,
    undefined,
  ],
  ["too many parts", '--b\r\ncontent-disposition: form-data; name="x"\r\n\r\n1\r\n'.repeat(700) + "--b--", undefined],
])("a multipart body with %s is a 4xx", async (what, body, contentType) => {
  const answer = await raw(body, contentType);
  expect(answer.status).toBe(what.includes("too") ? 413 : 400);
  await nothingIsLeft();
});

const only = async (types: NonNullable<ConfigInput["media"]>["types"], database = server.database) =>
  mediaApp(onTestFinished, { config: { media: types ? { types } : {} }, database });

test("types are allowed and denied by content and by name, and the other files of a request are kept", async () => {
  const strict = await only({ allow: ["image/*"], deny: ["image/svg+xml"] });
  const send = async (...parts: Part[]) => {
    const answer = await strict.app.request("/api/upload", { method: "POST", body: form(...parts) });
    return { status: answer.status, body: await answer.json() };
  };
  const image = { name: "a.png", content: new Uint8Array(await png(8, 8)) };
  expect(await send({ name: "a.txt", content: "x" })).toMatchObject({ status: 400 });
  expect(await send({ ...image, name: "a.pdf" })).toMatchObject({ status: 400 });
  expect(await send({ name: "a.svg", type: "image/svg+xml", content: "<svg/>" })).toMatchObject({
    status: 400,
    body: { error: { name: "ValidationError", message: "a.svg: files of type image/svg+xml are not allowed" } },
  });
  const mixed = await send({ name: "a.txt", content: "x" }, image);
  expect(mixed).toMatchObject({ status: 201, body: [{ name: "a.png" }] });
  await remove(mixed.body);
});

/** Uploads on a server that waits so long for more of them. */
const listening = async (idleSeconds: number) => {
  const media = await mediaApp(onTestFinished, { config: { media: { idleSeconds } }, database: server.database });
  const { port, close } = await listen(media.app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  onTestFinished(close);
  return { ...media, port };
};

/** Sends the beginning of an upload. */
const begin = (port: number): Promise<{ socket: ReturnType<typeof connect>; answer: Promise<string> }> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(
        "POST /api/upload HTTP/1.1\r\nhost: test\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 9999\r\n\r\n" +
          '--b\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nabc',
      );
      const answer = new Promise<string>((answered) => {
        let text = "";
        socket.on("data", (chunk) => (text += chunk.toString()));
        socket.on("close", () => answered(text));
      });
      resolve({ socket, answer });
    });
    socket.on("error", () => {});
  });

test("a sender who stops is given up, and one who hangs up leaves nothing", async () => {
  const hasty = await listening(0.2);
  const pausing = await begin(hasty.port);
  expect(await pausing.answer).toMatch(/^HTTP\/1.1 408 /);
  const patient = await listening(600);
  const leaving = await begin(patient.port);
  await expect.poll(() => patient.unfinished()).not.toEqual([]);
  leaving.socket.destroy();
  for (const { unfinished, stored, port } of [hasty, patient]) {
    await expect.poll(() => unfinished()).toEqual([]);
    expect(await stored()).toEqual([]);
    expect((await fetch(`http://127.0.0.1:${port}/_health`)).status).toBe(204);
  }
});
