/** Commands on the embedded database while a server has it open. */
import { cp, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cms, cmsOutput, emptyFolder, repository, run, serve } from "../support/cms.ts";
import { migratedProject } from "../support/project.ts";

const SEED = `import { defineSeed } from "galley-cms";

export default defineSeed(async ({ document }) => {
  await document("api::article.article", { key: "slug", data: { title: "Hello", slug: "hello" } });
});
`;

/** This galley-cms, as if it were another version. */
const otherVersion = async (): Promise<string> => {
  const folder = await emptyFolder();
  const manifest = await readFile(path.join(repository, "package.json"), "utf8");
  await writeFile(path.join(folder, "package.json"), manifest.replace('"version": "0.1.0"', '"version": "9.9.9"'));
  await cp(path.join(repository, "dist"), path.join(folder, "dist"), { recursive: true });
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"), "dir");
  return path.join(folder, "dist", "generator", "cli.js");
};

/** The files of a folder that other accounts could read or write, and the folder itself where they could look into it. */
const openToOthers = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  const modes = await Promise.all(
    [folder, ...files].map(async (name) => [name, (await stat(name)).mode & 0o077] as const),
  );
  return modes.flatMap(([name, mode]) => (mode === 0 ? [] : [name]));
};

test("tokens, permissions, seeds, migrations and files are worked on while the server runs, which takes notice", async () => {
  const root = await migratedProject();
  await mkdir(path.join(root, "content-types/seed"));
  await writeFile(path.join(root, "content-types/seed/index.ts"), SEED);
  const { url, output, stop } = await serve(root);
  expect((await stat(path.join(root, ".cms/server.sock"))).mode & 0o777).toBe(0o600);
  expect((await fetch(`${url}/api/articles`)).status).toBe(403);

  await cmsOutput(root, ["permissions", "apply"]);
  expect((await fetch(`${url}/api/articles`)).status).toBe(200);

  const token = await cmsOutput(root, ["token", "create", "--name", "editor", "--type", "full-access"]);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ data: { title: "By a client", slug: "client" } });
  expect((await fetch(`${url}/api/articles`, { method: "POST", headers, body })).status).toBe(201);
  expect(await cmsOutput(root, ["token", "list"])).toContain("editor\tfull-access");

  expect(await cmsOutput(root, ["seed"])).toBe("seed: 1 created, 0 there before");
  expect(await cmsOutput(root, ["seed"])).toBe("seed: 0 created, 1 there before");
  expect(await (await fetch(`${url}/api/articles?filters[slug]=hello`)).json()).toMatchObject({
    data: [{ title: "Hello" }],
  });

  expect(await cmsOutput(root, ["migrate", "status"])).toMatch(/^applied {2}\S+$/);
  expect(await cmsOutput(root, ["migrate", "new", "words"])).toContain("words");
  const added = (await cmsOutput(root, ["migrate", "--dry-run"])).match(/\S+_words/)?.[0] ?? "";
  await writeFile(path.join(root, "generated/migrations", added, "up.sql"), "create table words (word text);\n");
  expect(await cmsOutput(root, ["migrate"])).toContain("1 applied");
  expect(await cmsOutput(root, ["media", "check"])).toContain("0 records, 0 files");

  const upload = new FormData();
  upload.append("files", new Blob(["words"]), "words.txt");
  const { Authorization } = headers;
  expect((await fetch(`${url}/api/upload`, { method: "POST", headers: { Authorization }, body: upload })).status).toBe(
    201,
  );
  await cmsOutput(root, ["generate"]);
  await cmsOutput(root, ["export", path.join(root, "backup.tar.gz")]);
  expect(await openToOthers(path.join(root, ".cms"))).toEqual([]);

  await cmsOutput(root, ["token", "revoke", "editor"]);
  expect((await fetch(`${url}/api/articles`, { headers })).status).toBe(401);

  const refused = await run(process.execPath, [await otherVersion(), "token", "list"], { cwd: root });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    "has the embedded database open with galley-cms 0.1.0, and this is galley-cms 9.9.9",
  );
  // A server of one's own is no command beside another.
  const second = await cms(root, ["start", "--port", "0"]);
  expect(second.code).toBe(2);
  expect(second.stderr).toContain('the embedded database is in use by "cms start"');
  expect(await stop()).toBe(0);
  expect(output.stderr).toBe("");
  expect(await cmsOutput(root, ["token", "list"])).not.toContain("editor");
});
