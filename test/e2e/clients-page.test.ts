/** The code of docs/build/clients.md does what the page says. That it compiles is seen with the other pages. */
import { symlink } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test, vi } from "vitest";
import { listen } from "../../runtime/http/listen.ts";
import { clientPage } from "../support/client-page.ts";
import { repository } from "../support/cms.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";
import { workspace, writeFiles } from "../support/workspace.ts";

test("the code of the page runs against a server", async () => {
  const folder = workspace();
  const app = await exampleApp(onTestFinished, await exampleDatabase(), {
    locales: { default: "en", codes: ["en", "de"] },
  });
  await app.allowUsers("plugin::users-permissions.user.me");
  const { port, close } = await listen(app.app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  onTestFinished(close);
  vi.stubEnv("CMS_TOKEN", await app.token());
  const files = (await clientPage()).map(
    ([name, text]) => [name, text.replaceAll("https://cms.example", `http://127.0.0.1:${port}`)] as const,
  );
  const names = files.map(([name]) => name).filter((name) => !name.endsWith(".d.ts"));
  writeFiles(folder, files);
  await symlink(path.join(repository, "generated"), path.join(folder, "generated"), "dir");
  await build({
    entryPoints: names.map((name) => path.join(folder, name)),
    outdir: path.join(folder, "built"),
    bundle: true,
    splitting: true,
    format: "esm",
    outExtension: { ".js": ".mjs" },
    alias: { "galley-cms/client": path.join(repository, "runtime/client/index.ts") },
  });
  const said: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...words) => void said.push(words.join(" ")));
  onTestFinished(() => log.mockRestore());
  for (const name of names) await import(path.join(folder, "built", `${path.basename(name, ".ts")}.mjs`));
  expect(said).toContain("no title yet");
  expect(said).toContain("Tea is hot.");
  expect(said).toContain("title title must be at most 120 characters");
  expect(said).toContain("100 %");
  expect(said).toContain("de false");
});
