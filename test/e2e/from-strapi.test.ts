/** The guide for those who come from Strapi: each of its steps is done, from a project's folder and an export to answers. */
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { atEndOfTest, repository, run, serveBy } from "../support/cms.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { blocksOf, commandsOf } from "../support/doc-blocks.ts";
import { freePort } from "../support/free-port.ts";
import { type Exported, link, writeArchive } from "../support/strapi-archive.ts";
import { projectOfFive } from "../support/strapi-projects/five.ts";
import { workspace, writeFiles } from "../support/workspace.ts";

const dates = { createdAt: "2024-01-02T03:04:05.678Z", updatedAt: "2024-02-03T04:05:06.789Z" };
const published = { ...dates, publishedAt: "2024-03-04T05:06:07.890Z" };
const ROLE = "plugin::users-permissions.role";
const PERMISSION = "plugin::users-permissions.permission";
const ARTICLE = "api::article.article";

const schemaOf = (uid: string, folder: string): Exported["schemas"][number] => {
  const [, text = ""] = projectOfFive.find(([file]) => file.includes(`/content-types/${folder}/schema.json`)) ?? [];
  return { uid, ...JSON.parse(text) };
};

const exported: Exported = {
  schemas: [schemaOf(ARTICLE, "article"), schemaOf("api::author.author", "author")],
  entities: [
    [ARTICLE, 1, { documentId: "a".repeat(24), title: "Draft", locale: "en", ...dates, publishedAt: null }],
    [ARTICLE, 2, { documentId: "a".repeat(24), title: "Imported", slug: "imported", locale: "en", ...published }],
    ["api::author.author", 4, { documentId: "b".repeat(24), name: "Ada", ...published }],
    [PERMISSION, 1, { documentId: "p".repeat(24), action: `${ARTICLE}.find`, ...published }],
    [ROLE, 2, { documentId: "r".repeat(24), name: "Public", description: "", type: "public", ...published }],
  ],
  links: [
    link("manyToOne", [ARTICLE, 2, "author", 1], ["api::author.author", 4, "articles", 1]),
    link("manyToOne", [PERMISSION, 1, "role"], [ROLE, 2, "permissions", 1]),
  ],
};

/** The old project beside an empty folder, in which the package is found as if it were installed. */
const clone = async (): Promise<string> => {
  const parent = workspace();
  // Paths of the guide are those of projects with the usual prefix.
  const files = projectOfFive.filter(([file]) => file !== "config/api.ts");
  writeFiles(path.join(parent, "old"), files);
  await writeArchive(path.join(parent, "old/export.tar.gz"), exported);
  const site = path.join(parent, "site");
  await mkdir(path.join(site, "node_modules/.bin"), { recursive: true });
  await symlink(repository, path.join(site, "node_modules/galley-cms"), "dir");
  const program = path.join(site, "node_modules/.bin/cms");
  await writeFile(program, `#!/bin/sh\nexec node "${path.join(repository, "dist/generator/cli.js")}" "$@"\n`);
  await chmod(program, 0o755);
  await writeArchive(path.join(site, "export.tar.gz"), { schemas: [], entities: [], links: [] });
  return site;
};

test("every step of the guide, from a clone to a server with content that is compared with the old one", async () => {
  const root = await clone();
  const port = await freePort();
  const environment: Record<string, string> = {
    DATABASE_URL: await freshPostgresUrl(atEndOfTest),
    PATH: `${path.join(root, "node_modules/.bin")}${path.delimiter}${process.env["PATH"] ?? ""}`,
  };
  const perform = async (command: string): Promise<string> => {
    if (command === "npm install galley-cms") return "";
    // Content comes by one of the ways of the guide; import-database.test.ts goes those from a database.
    if (/^(?:npx )?cms import (?:postgres:|.*\.db\b)/.test(command)) return "";
    if (command === "npx cms start") {
      await serveBy("cms", ["start"], root, port, environment, atEndOfTest);
      return "";
    }
    // The old server is played by the new one.
    if (command.includes("$OLD_TOKEN"))
      environment["OLD_TOKEN"] = (await readFile(path.join(root, ".cms/compat.txt"), "utf8")).trim();
    const local = command
      .replaceAll("npx cms", "cms")
      .replaceAll(/localhost:133[78]/g, `127.0.0.1:${port}`)
      .replaceAll(/^curl /g, "curl -sSf ")
      .replace("cms compat", `cms compat --own http://127.0.0.1:${port}`);
    const { code, stdout, stderr } = await run("bash", ["-euc", local], { cwd: root, env: environment });
    if (code !== 0) throw new Error(`${command}\nended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  };
  let printed = "";
  for (const block of await blocksOf("learn/from-strapi.md"))
    if (block.language === "console") for (const command of commandsOf(block)) printed += await perform(command);
  expect(printed).toContain("api::article.article: 2 created, 0 there before");
  expect(printed).toContain('"title":"Imported"');
  expect(printed).toMatch(/\d+ requests: \d+ answered the same, 0 differently/);

  // What it wrote compiles, and does what it says.
  const compiler = path.join(repository, "node_modules/typescript-7/bin/tsc");
  expect(await run(process.execPath, [compiler, "-p", root], { cwd: root })).toMatchObject({ code: 0, stdout: "" });
  const token = environment["OLD_TOKEN"] ?? "";
  const articles = `http://127.0.0.1:${port}/api/articles`;
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  // The controller's populate, and a parameter that nobody knows.
  const found = await fetch(`${articles}?unknown=1`, { headers });
  expect(await found.json()).toMatchObject({ data: [{ title: "Imported", author: { name: "Ada" }, sections: [] }] });
  // A policy that is not written yet refuses.
  const change = await fetch(`${articles}/${"a".repeat(24)}`, {
    method: "PUT",
    headers,
    body: JSON.stringify({ data: { title: "Changed" } }),
  });
  expect(change.status).toBe(403);
  // A route of the project answers that it is not written, to those who may ask.
  expect((await fetch(`${articles}/archive`, { headers })).status).toBe(501);
  expect((await fetch(`${articles}/archive`)).status).toBe(403);
}, 240_000);
