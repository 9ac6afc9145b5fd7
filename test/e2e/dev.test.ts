import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { cmsOutput, emptyFolder, run, serve, serveBy } from "../support/cms.ts";
import { freePort } from "../support/free-port.ts";
import { listenOnFreePort } from "../support/listen.ts";
import { program } from "../support/processes.ts";
import { migratedProject } from "../support/project.ts";
import { SOON } from "../support/soon.ts";

/** In one step, as editors do: a file that is emptied first is a change of its own where the next step is slow. */
const write = async (root: string, file: string, text: string): Promise<void> => {
  const target = path.join(root, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(`${target}~`, text);
  await rename(`${target}~`, target);
};

const edit = async (root: string, change: (schema: string) => string): Promise<void> => {
  const file = "content-types/article/schema.json";
  await write(root, file, change(await readFile(path.join(root, file), "utf8")));
};

const extension = `import { defineExtension } from "galley-cms";
import { everyone } from "galley-cms/rest";
import { word } from "../../lib/word.ts";

export default defineExtension({
  routes: (router) => void router.get("/word", everyone(), (c) => c.text(word)),
});
`;

test("dev serves an added attribute without a restart, survives a broken schema, and leaves one migration", async () => {
  const root = await emptyFolder();
  spawnSync("git", ["-C", root, "init", "--initial-branch=topic"]);
  await cmsOutput(root, ["init"]);
  const { url, output, stop } = await serve(root, {}, { command: "dev" });
  await vi.waitFor(() => expect(output.stdout).toContain("listening"), SOON);
  // The configuration lets everyone read.
  expect((await fetch(`${url}/api/articles`)).status).toBe(200);

  await edit(root, (schema) => schema.replace('"body":', '"body": '.concat("!")));
  await vi.waitFor(() => expect(output.stderr).toContain("content-types/article/schema.json"), SOON);
  const [line = ""] = output.stderr.trim().split("\n");
  expect(JSON.parse(line)).toMatchObject({
    level: 50,
    diagnostics: [
      {
        code: expect.stringMatching(/^CMS\d{4}$/),
        severity: "error",
        file: "content-types/article/schema.json",
        line: expect.any(Number),
      },
    ],
  });
  expect((await fetch(`${url}/_health`)).status).toBe(204);

  await edit(root, (schema) => schema.replace('"body": !', '"subtitle": { "type": "string" },\n    "body":'));
  await vi.waitFor(() => expect(output.stdout).toContain("reloaded"), SOON);
  const migrations = output.stdout.match(/^migrated: .+$/gm);
  expect(migrations).toHaveLength(2);
  const [only = "", ...others] = await readdir(path.join(root, "generated/migrations"));
  expect(others).toEqual([]);
  expect(await readFile(path.join(root, "generated/migrations", only, "up.sql"), "utf8")).toContain('"subtitle"');
  expect(await readFile(path.join(root, "generated/article/table.ts"), "utf8")).toContain("subtitle");
  expect(await stop()).toBe(0);
  expect(await cmsOutput(root, ["migrate", "status"])).toBe(`applied  ${only}`);

  const other = createServer();
  onTestFinished(() => void other.close());
  const { port } = new URL(await listenOnFreePort(other));
  const refused = await run(process.execPath, [program, "dev", "--port", port], { cwd: root });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error Port \d+ is in use\./m) });
});

test("dev goes on by itself after everything that its project is made of was changed, whoever did it", async () => {
  const root = await migratedProject();
  await write(root, "lib/word.ts", 'export const word = "one";\n');
  await write(root, "content-types/article/extension.ts", extension);
  const { url, output, stop } = await serve(root, {}, { command: "dev" });
  const word = async () => (await fetch(`${url}/api/word`)).text();
  expect(await word()).toBe("one");

  // Code beside the schema files.
  await write(root, "lib/word.ts", 'export const word = "two";\n');
  await vi.waitFor(async () => expect(await word()).toBe("two"), SOON);

  // An import of what is not there yet, in a folder that is not there yet.
  await write(root, "content-types/article/extension.ts", extension.replace("lib/word", "text/other"));
  await vi.waitFor(() => expect(output.stderr).toContain('Could not resolve \\"../../text/other.ts\\"'), SOON);
  // The path is one that a terminal can open.
  expect(output.stderr).toContain(" content-types/article/extension.ts:");
  expect(await word()).toBe("two");
  await write(root, "text/other.ts", 'export const word = "three";\n');
  await vi.waitFor(async () => expect(await word()).toBe("three"), SOON);

  // Code that fails when it is mounted.
  await write(root, "text/other.ts", 'export const word = (): never => {\n  throw new Error("no word today");\n};\n');
  const mounting = extension.replace("lib/word", "text/other").replace('"/word"', "word()");
  await write(root, "content-types/article/extension.ts", mounting);
  await vi.waitFor(() => expect(output.stderr).toMatch(/no word today.*other\.ts:2/), SOON);
  expect(await word()).toBe("three");
  await write(root, "text/other.ts", 'export const word = (): string => "/four";\n');
  await vi.waitFor(async () => expect((await fetch(`${url}/api/four`)).status).toBe(200), SOON);

  // A refused migration, and what is said to allow it, in another terminal.
  await edit(root, (schema) => schema.replace(/,\s*"body":.*/, ""));
  await vi.waitFor(() => expect(output.stderr).toContain("--allow"), SOON);
  // Code that is edited meanwhile goes on, and it is asked once.
  await write(root, "text/other.ts", 'export const word = (): string => "/five";\n');
  await vi.waitFor(async () => expect((await fetch(`${url}/api/five`)).status).toBe(200), SOON);
  expect(output.stderr.match(/to allow all of it/g)).toHaveLength(1);
  const [, flag = ""] = /cms generate --allow (\S+?)(?:\\n|"|\s)/.exec(output.stderr) ?? [];
  expect(flag).toBe("drop:article.body");
  await cmsOutput(root, ["generate", "--allow", flag]);
  await vi.waitFor(() => expect(output.stdout).toMatch(/^migrated: \S*body\S*$/m), SOON);

  // A migration that is begun by hand runs when it is written.
  await cmsOutput(root, ["migrate", "new", "words"]);
  await vi.waitFor(() => expect(output.stderr).toContain("_words waits for its statements"), SOON);
  const folders = await readdir(path.join(root, "generated/migrations"));
  const own = folders.find((name) => name.endsWith("_words")) ?? "";
  await write(root, `generated/migrations/${own}/up.sql`, "create table words (word text);\n");
  await vi.waitFor(() => expect(output.stdout).toContain(`migrated: ${own}`), SOON);

  // What the configuration lets everyone do, and what it imports.
  const create = () =>
    fetch(`${url}/api/articles`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ data: { title: "By anyone" } }),
    });
  expect((await create()).status).toBe(403);
  const config = await readFile(path.join(root, "cms.config.ts"), "utf8");
  await write(
    root,
    "lib/more.ts",
    'export const more = ["api::article.article.create", "api::article.article.publish"];\n',
  );
  const importing = config.replace('"api::article.article.find"', "$&, ...more");
  await write(root, "cms.config.ts", `import { more } from "./lib/more.ts";\n${importing}`);
  // Twice the same, which is wanted below.
  await vi.waitFor(async () => expect((await create()).status).toBe(201), SOON);
  expect((await create()).status).toBe(201);
  // It may be allowed before it is said.
  await vi.waitFor(() => expect(output.stdout).toContain("  + api::article.article.create"), SOON);
  await write(root, "lib/more.ts", "export const more = [];\n");
  await vi.waitFor(async () => expect((await create()).status).toBe(403), SOON);

  // Other commands reach it.
  expect(await cmsOutput(root, ["migrate", "status"])).toContain(`applied  ${own}`);

  // A migration that content stops goes on when the content is mended, with no file changed.
  const authorization = `Bearer ${await cmsOutput(root, ["token", "create", "--name", "mender", "--type", "full-access"])}`;
  const headers = { "Content-Type": "application/json", authorization };
  const found = await fetch(`${url}/api/articles`, { headers });
  const { data }: { data: readonly { documentId: string }[] } = await found.json();
  const [, second = "", ...others] = data.map(({ documentId }) => documentId);
  const remove = (documentId: string) => fetch(`${url}/api/articles/${documentId}`, { method: "DELETE", headers });
  for (const documentId of others) await remove(documentId);
  await edit(root, (schema) => schema.replace('"title": {', '"title": { "unique": true,'));
  await vi.waitFor(() => expect(output.stderr).toContain("is duplicated"), SOON);
  expect(output.stderr).toContain("tries again when the content is mended");
  const said = output.stdout.length;
  await remove(second);
  await vi.waitFor(() => expect(output.stdout.slice(said)).toMatch(/^migrated: [^]*^reloaded$/m), SOON);
  expect(output.stderr.match(/is duplicated/g)).toHaveLength(1);
  expect(await stop()).toBe(0);
});

const hasTerminal = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

test.runIf(hasTerminal)("on a terminal a request is a line, and what is wrong is a frame", async () => {
  const root = await migratedProject();
  const failing = extension
    .replace("c.text(word)", "c.text(word())")
    .replace('import { word } from "../../lib/word.ts";', "");
  const throwing = failing.replace(
    "export default",
    'const word = (): string => {\n  throw new Error("no word");\n};\n\nexport default',
  );
  await write(root, "content-types/article/extension.ts", throwing);
  const port = await freePort();
  const command = `${process.execPath} ${program} dev`;
  const { url, output } = await serveBy("script", ["-qefc", command, "/dev/null"], root, port);
  const shows = (text: string | RegExp) => vi.waitFor(() => expect(output.stdout).toMatch(text), SOON);
  await fetch(`${url}/api/articles?filters[title]=secret`);
  await shows(/GET {4}\/api\/articles 200 \d+ ms, \d+ statements?\r\n/);
  expect(output.stdout).not.toContain("secret");
  await fetch(`${url}/api/word`);
  await shows(
    /┌─ a request failed requestId=\S+ method=GET path=\/api\/word\r\n│ Error: no word\r\n│ +at word .*extension\.ts:\d/,
  );
  await shows(/GET {4}\/api\/word 500/);
  await fetch(`${url}/nothing/here?key=secret`);
  await shows(/GET {4}\/nothing\/here 404/);
  expect(output.stdout).not.toContain("secret");
  expect(output.stdout).not.toContain("request requestId=");
  await write(root, "cms.config.ts", "export default { rest: { prefixx: 1 } };\n");
  await shows(/┌─ error\r\n│ cms\.config\.ts: unknown key "rest\.prefixx"/);
});

const seedThat = (work: string): string => `import { writeFileSync } from "node:fs";
import { defineSeed } from "galley-cms";

export default defineSeed(async ({ document }) => {
  const run = () => document("api::article.article", { key: "slug", data: { title: "Hello", slug: "hello" } });
  ${work}
});
`;

test("dev --seed serves when the seed has run, and runs one that failed again after a change", async () => {
  const root = await migratedProject();
  await write(
    root,
    "content-types/seed/index.ts",
    seedThat('writeFileSync("asked", "");\n  throw new Error(String(run));'),
  );
  const serving = serveBy(process.execPath, [program, "dev", "--seed"], root, await freePort());
  await vi.waitFor(() => readFile(path.join(root, "asked")), SOON);
  await write(root, "content-types/seed/index.ts", seedThat("await run();"));
  const { url, output } = await serving;
  expect(await (await fetch(`${url}/api/articles`)).json()).toMatchObject({ data: [{ slug: "hello" }] });
  expect(output.stderr).toContain("content-types/seed/index.ts has failed");
  expect(output.stdout).toContain("seed: 1 created, 0 there before");
});
