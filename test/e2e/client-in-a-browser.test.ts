/** The generated client in a real page, which belongs to another origin than the server. */
import path from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import type { createClient } from "../../generated/client/index.ts";
import { listen } from "../../runtime/http/listen.ts";
import { answering } from "../runtime/client/server.ts";
import { registration } from "../support/auth-app.ts";
import { openPage } from "../support/browser.ts";
import { repository } from "../support/cms.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";

/** What the script of the page leaves in it. */
declare const client: { readonly createClient: typeof createClient };

const script = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [path.join(repository, "generated/client/index.ts")],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "client",
    alias: { "galley-cms/client": path.join(repository, "runtime/client/index.ts") },
  });
  return outputFiles[0]?.text ?? "";
};

test("a page logs in, uploads with progress, gives an upload up, and has no token in an address", async () => {
  const text = await script();
  const site = await answering((request, response) => {
    const isScript = request.url === "/client.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(isScript ? text : '<!doctype html><script src="/client.js"></script>');
  });
  const app = await exampleApp(onTestFinished, await exampleDatabase(), {
    auth: { sessions: { httpOnly: true } },
    server: { cors: { origins: [site], credentials: true } },
  });
  await app.allowUsers(
    "plugin::users-permissions.user.me",
    "plugin::upload.content-api.upload",
    "plugin::upload.content-api.find",
  );
  const { port, close } = await listen(app.app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  onTestFinished(close);

  const page = await openPage();
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto(site);
  const url = `http://127.0.0.1:${port}`;
  const account = registration("ada");
  const shown = await page.evaluate(
    async ({ url, account }) => {
      const cms = client.createClient({ url, cookies: true });
      await cms.auth.register(account);
      const told: { loaded: number; total: number }[] = [];
      const content = new File(["a".repeat(500_000)], "ü.txt", { type: "text/plain" });
      const [file] = await cms.files.upload(content, {
        info: { caption: "Ü" },
        onProgress: (progress) => told.push(progress),
      });
      const last = told.at(-1);
      const controller = new AbortController();
      const givenUp = await cms.files
        .upload(content, { onProgress: () => controller.abort("enough") }, { signal: controller.signal })
        .catch((error: unknown) => error);
      const refused = await cms.files
        .upload([], { onProgress: () => undefined })
        .catch((error: unknown) => String(error));
      return {
        file: file && [file.name, file.caption, file.size],
        whole: last?.loaded === last?.total,
        givenUp,
        refused,
      };
    },
    { url, account },
  );
  expect(shown).toEqual({
    file: ["ü.txt", "Ü", 500],
    whole: true,
    givenUp: "enough",
    refused: "ValidationError: Files are empty",
  });

  // The page is loaded anew: the cookie is all that is left.
  await page.reload();
  const again = await page.evaluate(async (url) => {
    const cms = client.createClient({ url, cookies: true });
    const isIn = await cms.auth.refresh();
    const [me, files] = await Promise.all([cms.users.me(), cms.files.find({ fields: ["name"] })]);
    await cms.auth.logout();
    return { isIn, name: me.username, hasFiles: files.length > 0, isStillIn: await cms.auth.refresh() };
  }, url);
  expect(again).toEqual({ isIn: true, name: "ada", hasFiles: true, isStillIn: false });
  expect(addresses.filter((address) => address.includes("eyJ"))).toEqual([]);
  expect(addresses.length).toBeGreaterThan(8);
}, 240_000);
