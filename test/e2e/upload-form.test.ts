import { createServer } from "node:http";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../runtime/http/listen.ts";
import { openPage } from "../support/browser.ts";
import { mediaApp } from "../support/media-app.ts";

/** A site of its own, as a front end would be: a form that needs no script, and a page that shows a picture. */
const site = async (api: string): Promise<string> => {
  const server = createServer((request, response) => {
    const picture = new URL(request.url ?? "/", "http://site").searchParams.get("picture");
    const form = `<form action="${api}/api/upload" method="post" enctype="multipart/form-data">
      <input type="file" name="files"><input name="fileInfo" value='{"alternativeText":"A red square"}'><button>Send</button>
    </form>`;
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><title>Site</title>${picture === null ? form : `<img src="${api}${picture}">`}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
};

const start = async (): Promise<string> => {
  const { app } = await mediaApp((work) => onTestFinished(work));
  const { port, close } = await listen(app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  onTestFinished(close);
  return `http://127.0.0.1:${port}`;
};

test("a plain form uploads a picture, and another site shows its thumbnail", async () => {
  const api = await start();
  const front = await site(api);
  const page = await openPage();
  await page.goto(front);
  const square = sharp({ create: { width: 800, height: 800, channels: 3, background: "red" } });
  await page.setInputFiles("input[type=file]", {
    name: "square.png",
    mimeType: "image/png",
    buffer: await square.png().toBuffer(),
  });
  const [answer] = await Promise.all([page.waitForResponse(`${api}/api/upload`), page.click("button")]);
  expect(answer.status()).toBe(201);
  const [file] = JSON.parse((await page.textContent("body")) ?? "");
  expect(file).toMatchObject({ name: "square.png", alternativeText: "A red square", mime: "image/png", width: 800 });

  await page.goto(`${front}/?picture=${file.formats.thumbnail.url}`);
  const shown = await page.$eval("img", (image) => image.naturalWidth);
  expect(shown).toBe(156);
  expect(page.errors).toEqual([]);
});

test("a script in an uploaded page or drawing does not run", async () => {
  const api = await start();
  const page = await openPage();
  const upload = async (name: string, type: string, content: string): Promise<string> => {
    const body = new FormData();
    body.append("files", new Blob([content], { type }), name);
    const [file] = await (await fetch(`${api}/api/upload`, { method: "POST", body })).json();
    return api + file.url;
  };
  const script = "document.documentElement.setAttribute('data-ran', 'yes')";
  const html = await upload("page.html", "text/html", `<p>hello</p><script>${script}</script>`);
  const svg = await upload(
    "drawing.svg",
    "image/svg+xml",
    `<svg xmlns="http://www.w3.org/2000/svg"><text>hello</text><script>${script}</script></svg>`,
  );
  for (const url of [html, svg]) {
    await page.goto(url);
    expect(await page.textContent("p, text")).toBe("hello");
    expect(await page.evaluate(() => document.documentElement.getAttribute("data-ran"))).toBeNull();
  }
});
