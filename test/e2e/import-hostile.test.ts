/** `cms import` of archives that want more than to be imported. */
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { atEndOfTest, cms, cmsOutput, serve } from "../support/cms.ts";
import { bytes, content, PAGE, published, WRITER } from "../support/exported-content.ts";
import { exportedSchemas, freshTables, generatedImportProject } from "../support/import-project.ts";
import { type Exported, link, writeArchive } from "../support/strapi-archive.ts";

const FILES = "plugin::upload.file";

const root = await generatedImportProject(afterAll);

/** A file as an archive has it, under a name or address of one's own. */
const fileRow = (id: number, values: Readonly<Record<string, string>>): Exported["entities"][number] => {
  const documentId = `file${id}`.padEnd(24, "x");
  const usual = { hash: `plain_${id}`, ext: ".txt", mime: "text/plain", url: "/uploads/x.txt", provider: "local" };
  return ["plugin::upload.file", id, { documentId, name: `F${id}`, ...usual, size: 0.01, ...values, ...published }];
};

test("files whose names or addresses lead elsewhere are refused by name, and links of a folder are not followed", async () => {
  const url = await freshTables(root, atEndOfTest);
  const archive = path.join(root, "hostile.tar.gz");
  const thumbnail = (key: object) =>
    ["plugin::upload.file", 5, { ...fileRow(5, {})[2], formats: { thumbnail: { ...key } } }] as const;
  await writeArchive(archive, {
    schemas: exportedSchemas,
    entities: [
      fileRow(1, { hash: "../../cms.config", ext: ".ts" }),
      fileRow(2, { hash: "notes", ext: "/../../../../victim.txt" }),
      fileRow(3, { hash: ".env", ext: "" }),
      fileRow(4, { url: "javascript:alert(1)" }),
      thumbnail({ hash: "..\\..\\victim", ext: ".txt", url: "" }),
      fileRow(6, { previewUrl: "data:text/html,x" }),
      fileRow(7, {}),
      ...content.entities.filter(([type]) => type === PAGE),
    ],
    links: [1, 7].map((id) =>
      link("morphToMany", ["plugin::upload.file", id, "related"], [PAGE, id === 1 ? 2 : 12, "cover", 1]),
    ),
    uploads: { "../../../../escaped.txt": bytes, "plain_7.txt": bytes },
  });
  const imported = await cms(root, ["import", archive]);
  expect(imported.stdout).toContain("plugin::upload.file: 1 created, 0 there before");
  expect(imported.stdout).toContain("4 x plugin::upload.file: its hash and ext are no plain file name");
  expect(imported.stdout).toContain("2 x plugin::upload.file: its address is none of the web");
  expect(imported.stdout).toContain("1 x api::page.page cover: leads to a file that is not there");
  expect(await readFile(path.join(root, ".cms/import-report.jsonl"), "utf8")).toContain(
    '"value":"../../cms.config.ts"',
  );
  const client = postgres(url, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  expect(await client`select hash || ext as key from files`).toEqual([{ key: "plain_7.txt" }]);

  // What SQL, or an import of old, has left in the table leads nowhere either.
  const config = await readFile(path.join(root, "cms.config.ts"), "utf8");
  await writeFile(path.join(root, "victim.txt"), "here");
  const [own, victim] = await client`
    insert into files (document_id, name, hash, ext, mime, size, url, provider, created_at, updated_at)
    values ('config', 'c', '../../cms.config', '.ts', 'text/plain', 1, '', 'local', now(), now()),
           ('victim', 'v', '../../victim', '.txt', 'text/plain', 1, '', 'local', now(), now()) returning id`;
  const { url: server } = await serve(root);
  const token = await cmsOutput(root, ["token", "create", "--name", "files", "--type", "full-access"]);
  const headers = { Authorization: `Bearer ${token}` };
  const form = new FormData();
  form.append("files", new Blob(["export default {}"]), "x.ts");
  const replaced = await fetch(`${server}/api/upload?id=${own?.["id"]}`, { method: "POST", headers, body: form });
  expect([replaced.status, await replaced.json()]).toMatchObject([
    400,
    { error: { message: '"../../cms.config.ts" is not a name that a file can be stored under' } },
  ]);
  expect((await fetch(`${server}/api/upload/files/${victim?.["id"]}`, { method: "DELETE", headers })).status).toBe(200);
  expect(await readFile(path.join(root, "cms.config.ts"), "utf8")).toBe(config);
  expect(await readFile(path.join(root, "victim.txt"), "utf8")).toBe("here");
  await symlink(path.join(root, "victim.txt"), path.join(root, "public/uploads/linked.txt"));
  expect((await fetch(`${server}/uploads/linked.txt`)).status).toBe(404);

  const folder = path.join(root, "unpacked");
  await mkdir(path.join(folder, "assets"), { recursive: true });
  await writeFile(path.join(folder, "metadata.json"), JSON.stringify({ strapi: { version: "5.54.0" } }));
  await symlink(path.join(root, "content-types"), path.join(folder, "assets/uploads"));
  const linked = await cms(root, ["import", folder]);
  expect([linked.code, linked.stderr]).toEqual([2, expect.stringContaining("assets/uploads is a link to")]);
  expect((await readdir(path.join(root, "public/uploads"))).toSorted()).toEqual([
    "escaped.txt",
    "linked.txt",
    "plain_7.txt",
  ]);
});

test("a line that is too long for memory is refused with its number", async () => {
  await freshTables(root, atEndOfTest);
  const archive = path.join(root, "long.tar.gz");
  const writer = { documentId: "l".repeat(24), name: "x".repeat(70_000_000), ...published };
  await writeArchive(archive, { schemas: exportedSchemas, entities: [[WRITER, 1, writer]], links: [] });
  const refused = await cms(root, ["import", archive]);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("entities/entities_00001.jsonl:1 has more than 67108864 characters in one line"),
  ]);
});

const writer = (values: Exported["entities"][number][2]): Exported["entities"][number][2] => ({
  documentId: "w".repeat(24),
  name: "W",
  ...published,
  ...values,
});

test("rows that come twice and numbers that no row can have end an import before it writes", async () => {
  const url = await freshTables(root, atEndOfTest);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  const cases: readonly (readonly [name: string, entities: Exported["entities"], refused: string])[] = [
    [
      "twice",
      [
        [WRITER, 1, writer({})],
        [WRITER, 1, writer({ name: "V" })],
      ],
      `${WRITER} 1 twice`,
    ],
    ["zero", [[WRITER, 0, writer({})]], "a line that is none of a Strapi export"],
    ["huge", [[WRITER, 4_294_967_296, writer({})]], "a line that is none of a Strapi export"],
    ["long", [[WRITER, 1, writer({ documentId: "w".repeat(256) })]], "a line that is none of a Strapi export"],
    ["type", [["w".repeat(256), 1, writer({})]], "a line that is none of a Strapi export"],
    ["part", [[WRITER, 1.5, writer({})]], "a line that is none of a Strapi export"],
  ];
  for (const [name, entities, refused] of cases) {
    const archive = path.join(root, `${name}.tar.gz`);
    await writeArchive(archive, { schemas: exportedSchemas, entities, links: [] });
    const { code, stderr } = await cms(root, ["import", archive]);
    expect([name, code, stderr]).toEqual([name, 2, expect.stringContaining(refused)]);
    expect(await client`select count(*)::int as writers from writers`).toEqual([{ writers: 0 }]);
  }
});

test("a report that cannot be written ends the import with its reason", async () => {
  await freshTables(root, atEndOfTest);
  const archive = path.join(root, "fine.tar.gz");
  await writeArchive(archive, content);
  for (const [report, reason] of [
    ["/dev/full", "ENOSPC"],
    [root, "EISDIR"],
  ] as const) {
    const { code, stderr } = await cms(root, ["import", archive, "--report", report]);
    expect([report, code, stderr]).toEqual([report, 2, expect.stringContaining(reason)]);
    expect(stderr).not.toMatch(/^ {4}at /m);
  }
});

test("an archive changes no file that is here: what has its name and size is that file, anything else is refused", async () => {
  const url = await freshTables(root, atEndOfTest);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  const shared = { hash: "shared", ext: ".txt", url: "/uploads/shared.txt" };
  const archive = path.join(root, "files.tar.gz");
  const pages = content.entities.filter(([type]) => type === PAGE);
  const mine = { schemas: exportedSchemas, entities: [fileRow(1, shared)], links: [] };
  await writeArchive(archive, { ...mine, uploads: { "shared.txt": bytes } });
  expect((await cms(root, ["import", archive])).code).toBe(0);

  const thumbnail = { hash: "shared", ext: ".txt", url: "" };
  const [type, id, data] = fileRow(22, {});
  await writeArchive(archive, {
    schemas: exportedSchemas,
    entities: [
      fileRow(20, shared),
      [FILES, 21, { ...fileRow(21, shared)[2], size: 5 }],
      [type, id, { ...data, formats: { thumbnail } }],
      ...pages,
    ],
    links: [20, 21].map((each) =>
      link("morphToMany", [FILES, each, "related"], [PAGE, each === 20 ? 12 : 2, "cover", 1]),
    ),
    uploads: { "shared.txt": Buffer.from("something else"), "plain_22.txt": bytes },
  });
  const imported = await cms(root, ["import", archive]);
  expect(imported.stdout).toContain("2 x plugin::upload.file: another file is stored here under its name");
  expect(imported.stdout).toContain("plugin::upload.file: 0 created, 1 there before");
  expect(await readFile(path.join(root, "public/uploads/shared.txt"))).toEqual(bytes);
  expect(await client`select hash, size from files`).toEqual([{ hash: "shared", size: 0.01 }]);
  expect(
    await client`select distinct slug, cover_id is not null as covered from pages
    where published_at is not null order by slug`,
  ).toMatchObject([
    { slug: "a", covered: false },
    { slug: "b", covered: true },
  ]);
});

const named = (name: string) => ({ documentId: name.padEnd(24, "x"), ...published });

test("NUL characters and values that nest without end are refused or left out, with their place", async () => {
  const url = await freshTables(root, atEndOfTest);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  const nul = "a\0b";
  const archive = path.join(root, "nul.tar.gz");
  await writeArchive(archive, {
    schemas: exportedSchemas,
    entities: [
      [FILES, 31, { ...fileRow(31, {})[2], folderPath: nul, hash: "nul" }],
      ["plugin::upload.folder", 1, { ...named("folder"), name: nul, pathId: 1, path: nul }],
      ["plugin::users-permissions.role", 5, { ...named("role"), name: "R", description: "", type: nul }],
      ["plugin::users-permissions.permission", 1, { ...named("permission"), action: nul }],
      ["plugin::i18n.locale", 1, { ...named("locale"), code: nul, name: nul }],
    ],
    links: [
      link(
        "manyToOne",
        ["plugin::users-permissions.permission", 1, "role"],
        ["plugin::users-permissions.role", 5, "permissions"],
      ),
    ],
  });
  const { stdout, stderr } = await cms(root, ["import", archive]);
  expect(stderr).toBe("");
  expect(stdout).toContain("plugin::users-permissions.role: 1 created");
  expect(await client`select type from up_roles where name = 'R'`).toEqual([{ type: "ab" }]);

  const folder = path.join(root, "nested");
  await mkdir(path.join(folder, "schemas"), { recursive: true });
  await mkdir(path.join(folder, "entities"), { recursive: true });
  const more = { uid: "blocks.hero", attributes: { more: { type: "component", component: "blocks.hero" } } };
  const schemas = [{ uid: WRITER, attributes: more.attributes }, more];
  await writeFile(path.join(folder, "metadata.json"), JSON.stringify({ strapi: { version: "5.54.0" } }));
  await writeFile(
    path.join(folder, "schemas/schemas_00001.jsonl"),
    schemas.map((each) => JSON.stringify(each)).join("\n"),
  );
  const depth = 100_000;
  const data = `${'{"more":'.repeat(depth)}{}${"}".repeat(depth)}`;
  await writeFile(path.join(folder, "entities/entities_00001.jsonl"), `{"type":"${WRITER}","id":1,"data":${data}}\n`);
  const nested = await cms(root, ["import", folder]);
  expect([nested.code, nested.stderr]).toEqual([2, expect.stringContaining(`nests too deeply: ${WRITER} 1`)]);
});

const account = (id: number, values: Exported["entities"][number][2]): Exported["entities"][number] => {
  const hash = "$2a$04$zIJmQeBTOldJiqof6XsKyeYWxpadsGAiLsH0ftsptLw/mS3nJut6a";
  const usual = { provider: "local", password: hash, confirmed: true, blocked: false, locale: null };
  return ["plugin::users-permissions.user", id, { ...named(`user${id}`), ...usual, ...values }];
};

test("roles, users and entries without what they need are imported, and neither server nor logins fail over them", async () => {
  const url = await freshTables(root, atEndOfTest);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  const archive = path.join(root, "lacking.tar.gz");
  await writeArchive(archive, content);
  await cms(root, ["import", archive]);
  const heroes = [-4, 1.5, 99_999_999_999].map((id) => ({ __component: "blocks.hero", id, heading: `H ${id}` }));
  await writeArchive(archive, {
    schemas: exportedSchemas,
    entities: [
      ["plugin::users-permissions.role", 10, { ...named("role"), name: "Editor", description: "", type: null }],
      account(1, { username: "ada", email: "other@example.test" }),
      account(2, { username: "bob", email: "ada@example.test" }),
      account(4, { username: "dan", email: "dan@example.test", password: "plain" }),
      [WRITER, 1, { ...named(""), documentId: "", name: "Nobody" }],
      fileRow(41, {}),
      [PAGE, 100, { ...named("page"), title: "T", slug: "t", summary: "s", locale: "en", sections: heroes }],
    ],
    links: [
      link("morphToMany", [FILES, 41, "related"], [PAGE, 100]),
      link("manyToOne", [PAGE, 100, "title", 1], [WRITER, 1]),
      link("morphToMany", [FILES, 41, "related"], [PAGE, 100, "author"]),
    ],
  });
  const imported = await cms(root, ["import", archive]);
  expect(imported.stderr).toBe("");
  expect(imported.stdout).toContain("user: 3 created, 0 there before");
  expect(imported.stdout).toContain("page title: leads to documents or files, and is of the type string here");
  expect(imported.stdout).toContain("page author: leads to documents or files, and is of the type relation here");
  expect(await client`select length(document_id) as length from writers where name = 'Nobody'`).toEqual([
    { length: 24 },
  ]);
  const [page] = await client`select sections from pages where title = 'T' and published_at is not null`;
  expect(page?.["sections"]).toMatchObject(heroes.map(({ heading }) => ({ heading, id: expect.any(Number) })));

  const { url: server } = await serve(root);
  const logIn = async (identifier: string, password: string) => {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ identifier, password });
    return (await fetch(`${server}/api/auth/local`, { method: "POST", headers, body })).status;
  };
  const password = "Sesame-1";
  expect(await logIn("other@example.test", password)).toBe(200);
  expect(await logIn("bob", password)).toBe(200);
  expect(await logIn("dan", "plain")).toBe(400);
});
