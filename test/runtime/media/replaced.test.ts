/** Files that are replaced while somebody reads them. */
import { connect } from "node:net";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import type { StorageProvider } from "../../../runtime/base/storage.ts";
import { listen } from "../../../runtime/http/listen.ts";
import { form, mediaApp } from "../../support/media-app.ts";
import { memoryStorage } from "../../support/memory-storage.ts";

/** A server with a file, which is replaced just before it is read if there is something in `next`. */
const start = async (content: string) => {
  const storage = memoryStorage();
  const next: string[] = [];
  const provider: StorageProvider = {
    ...storage,
    url: (key) => `/uploads/${key}`,
    async read(key, range) {
      const content = next.shift();
      if (content !== undefined) {
        const details = { size: content.length, mime: "text/plain", attachment: false };
        await storage.put(key, Readable.from([Buffer.from(content)]), details);
      }
      return storage.read(key, range);
    },
  };
  const { app } = await mediaApp(onTestFinished, { config: { media: { provider } } });
  const body = form({ name: "a.txt", type: "text/plain", content });
  const [{ url }] = await (await app.request("/api/upload", { method: "POST", body })).json();
  const { port, close } = await listen(app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  onTestFinished(close);
  /** What comes on one connection for two requests, the second of which ends it. */
  const getTwice = (headers = ""): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      let text = "";
      socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
      socket.on("error", reject);
      socket.on("close", () => resolve(text));
      const head = `GET ${url} HTTP/1.1\r\nHost: test\r\n`;
      socket.write(`${head}${headers}\r\n${head}Connection: close\r\n\r\n`);
    });
  return { getTwice, next };
};

/** The bodies of answers that follow one another, by the lengths that they announce; the last may have been cut off. */
const bodiesIn = (text: string): string[] => {
  const bodies: string[] = [];
  for (let rest = text; rest !== "";) {
    expect(rest).toMatch(/^HTTP\/1\.1 \d/);
    const begin = rest.indexOf("\r\n\r\n") + 4;
    const end = begin + Number(/content-length: (\d+)/i.exec(rest)?.[1] ?? Number.NaN);
    bodies.push(rest.slice(begin, end));
    rest = rest.slice(end);
  }
  return bodies;
};

const LONG = "long ".repeat(100_000);

test.each([
  ["a longer one", "0123456789", "0123456789 and more", ""],
  ["a much longer one", "0123456789", LONG, ""],
  ["a shorter one", "0123456789", "012", ""],
  ["an empty one", "0123456789", "", ""],
  ["one that is too short for the range", "0123456789", "01234", "Range: bytes=2-7\r\n"],
])(
  "who reads a file that is replaced by %s gets nothing of it as the next answer",
  async (_what, old, changed, headers) => {
    const { getTwice, next } = await start(old);
    expect(bodiesIn(await getTwice())).toEqual([old, old]);
    next.push(changed);
    const text = await getTwice(headers);
    expect(text.match(/^HTTP\/1\.1 /gm)?.length ?? 0).toBeLessThan(2);
    for (const body of bodiesIn(text)) expect(changed.includes(body) || body.includes("was replaced")).toBe(true);
    expect(bodiesIn(await getTwice())).toEqual([changed, changed]);
  },
);

test("a large file comes whole, and its parts as well", async () => {
  const { getTwice } = await start(LONG);
  expect(bodiesIn(await getTwice("Range: bytes=5-100009\r\n"))).toEqual([LONG.slice(5, 100_010), LONG]);
});
