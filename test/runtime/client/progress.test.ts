/** Uploads with progress: where there is no page, the form is sent as a stream, and counted. */
import { getEventListeners } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../../generated/client/index.ts";
import { listen } from "../../../runtime/http/listen.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

test("an upload tells how much of it was sent, and is stored as it is", async () => {
  const app = await exampleApp(onTestFinished, await exampleDatabase());
  const { port, close } = await listen(app.app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  onTestFinished(close);
  const cms = createClient({ url: `http://127.0.0.1:${port}`, token: await app.token() });
  const content = "a".repeat(300_000);
  const told: { loaded: number; total: number }[] = [];
  const name = 'quote " and\nline ü.txt';
  const [file] = await cms.files.upload(new File([content], name, { type: "text/plain" }), {
    info: { caption: "Ünïcode" },
    onProgress: (progress) => told.push(progress),
  });
  expect(file).toMatchObject({ caption: "Ünïcode", mime: "text/plain", size: 300 });
  expect(told.length).toBeGreaterThan(1);
  expect(told.map(({ loaded }) => loaded)).toEqual(told.map(({ loaded }) => loaded).toSorted((a, b) => a - b));
  const last = told.at(-1);
  expect(last?.loaded).toBe(last?.total);
  expect(last?.total).toBeGreaterThan(300_000);
  const stored = await fetch(`http://127.0.0.1:${port}${file?.url}`);
  expect(await stored.text()).toBe(content);

  const controller = new AbortController();
  const given = cms.files.upload(
    new Blob([content]),
    { onProgress: () => controller.abort("enough") },
    { signal: controller.signal },
  );
  await expect(given).rejects.toBe("enough");
});

/** As much of a page's request as an upload needs; it is answered as soon as it is sent. */
class AnsweredRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly status = 201;
  readonly statusText = "Created";
  readonly responseText = "[]";
  readonly open = (): void => undefined;
  readonly setRequestHeader = (): void => undefined;
  readonly getAllResponseHeaders = (): string => "content-type: application/json\r\n";
  send(): void {
    for (const type of ["load", "loadend"]) this.dispatchEvent(new Event(type));
  }
}

test("a signal for many uploads of a page does not remember those that have ended", async () => {
  vi.stubGlobal("XMLHttpRequest", AnsweredRequest);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { signal } = new AbortController();
  const cms = createClient({ url: "http://cms.test" });
  for (const name of ["a", "b"]) {
    await cms.files.upload(new Blob([name]), { onProgress: () => undefined }, { signal });
  }
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
