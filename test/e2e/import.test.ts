/** `cms import` of what `strapi export` writes. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { atEndOfTest, cms, cmsOutput, cmsProcess, serve } from "../support/cms.ts";
import { bytes, content, draft, dates, ids, PAGE, published, WRITER } from "../support/exported-content.ts";
import { exportedSchemas, freshTables, generatedImportProject } from "../support/import-project.ts";
import { encrypted, link, tarOf, writeArchive } from "../support/strapi-archive.ts";

let made: Promise<string> | undefined;
const project = (): Promise<string> => (made ??= generatedImportProject(afterAll));

const get = async (url: string, token?: string): Promise<unknown> =>
  (await fetch(url, token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } })).json();

test("content, files, users and permissions answer as they did, and a second run changes nothing", async () => {
  const root = await project();
  await freshTables(root, atEndOfTest);
  const archive = path.join(root, "export.tar.gz");
  await writeArchive(archive, content);

  const dry = await cms(root, ["import", archive, "--dry-run"]);
  expect(dry.stdout).toContain("api::page.page: 5 created, 0 there before");
  const first = await cmsProcess(root, ["import", archive]);
  expect(first).toMatchObject({ code: 1, stderr: "" });
  expect(first.stdout).toContain("api::page.page: 5 created, 0 there before");
  expect(first.stdout).toContain("2 x api::page.page gone: there is no such attribute here");
  expect(first.stdout).toContain("1 x api::page.page summary: is not valid here: must be defined.");
  expect(first.stdout).toContain("api::other.other.find: there is no such action here");
  const report = await readFile(path.join(root, ".cms/import-report.jsonl"), "utf8");
  expect(report).toContain(`"id":2,"documentId":"${ids.a}","locale":"en","attribute":"gone"`);

  const second = await cms(root, ["import", archive]);
  expect(second.stdout).toContain("api::page.page: 0 created, 5 there before");
  expect(second.stdout).not.toMatch(/[1-9]\d* created/);

  const { url } = await serve(root);
  const token = await cmsOutput(root, ["token", "create", "--name", "all", "--type", "full-access"]);
  const populate = "populate[author]=true&populate[related]=true&populate[cover]=true&populate[sections][populate]=*";
  expect(await get(`${url}/api/pages/${ids.a}?${populate}`, token)).toMatchObject({
    data: {
      id: 2,
      documentId: ids.a,
      title: "A",
      views: "9223372036854775807",
      summary: null,
      locale: "en",
      ...published,
      cover: { id: 7, name: "Räport.pdf", alternativeText: "Alt", url: "/uploads/raport_1.pdf" },
      author: { id: 9, documentId: ids.ada, name: "Ada" },
      related: [{ documentId: ids.b }, { documentId: ids.a }],
      sections: [
        { __component: "blocks.quote", id: 42, text: "Q" },
        { __component: "blocks.hero", id: 41, heading: "H", picture: { id: 7 }, by: { documentId: ids.ada } },
      ],
    },
  });
  expect(await get(`${url}/api/pages/${ids.a}?status=draft&populate=sections`, token)).toMatchObject({
    data: { id: 1, title: "A draft", sections: [{ id: 40 }, { id: 40, text: "Q \u2028 end" }] },
  });
  expect(await get(`${url}/api/pages/${ids.a}?status=draft&locale=fr`, token)).toMatchObject({
    data: { title: "A fr" },
  });
  expect(
    (await fetch(`${url}/api/pages/${ids.a}?locale=fr`, { headers: { Authorization: `Bearer ${token}` } })).status,
  ).toBe(404);
  // In the order of the other side, which is that of its positions.
  expect(await get(`${url}/api/writers/${ids.ada}?populate=pages`, token)).toMatchObject({
    data: { pages: [{ documentId: ids.b }, { documentId: ids.a }] },
  });
  // Each locale that leads there is an entry of the list; those at one place are in the order of their ids.
  expect(await get(`${url}/api/writers/${ids.ada}?status=draft&populate=pages`, token)).toMatchObject({
    data: { pages: [{ title: "A draft" }, { title: "A fr" }] },
  });
  expect(Buffer.from(await (await fetch(`${url}/uploads/raport_1.pdf`)).arrayBuffer())).toEqual(bytes);
  expect((await fetch(`${url}/api/pages`)).status).toBe(200);
  expect((await fetch(`${url}/api/writers`)).status).toBe(403);

  const login = await fetch(`${url}/api/auth/local`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ identifier: "ada", password: "Sesame-1" }),
  });
  expect(login.status).toBe(200);
  // Ids go on where the imported ones end.
  const created = await fetch(`${url}/api/pages`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ data: { title: "New", summary: "s", slug: "new" } }),
  });
  expect(created.status).toBe(201);
});

test("an archive that is encrypted needs its key, and one that is cut off is refused before anything is written", async () => {
  const root = await project();
  const url = await freshTables(root, atEndOfTest);
  const tar = await tarOf(content);
  const archive = path.join(root, "export.tar.enc");
  await writeFile(archive, encrypted(tar, "open sesame"));
  const missing = await cms(root, ["import", archive]);
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.stderr).toContain("--key KEY");
  const wrong = await cms(root, ["import", archive, "--key", "else"]);
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain("--key is not its key");

  await writeFile(path.join(root, "cut.tar"), tar.subarray(0, tar.length - 3000));
  const cut = await cms(root, ["import", path.join(root, "cut.tar")]);
  expect(cut.code).toBe(2);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  expect((await client`select count(*)::int as count from documents`)[0]).toEqual({ count: 0 });

  const right = await cms(root, ["import", archive, "--key", "open sesame", "--dry-run"]);
  expect(right.stdout).toContain("api::page.page: 5 created");
  expect((await client`select count(*)::int as count from documents`)[0]).toEqual({ count: 0 });
  expect((await cms(root, ["import", archive, "--key", "open sesame"])).code).toBe(1);
  expect((await client`select count(*)::int as count from documents`)[0]).toEqual({ count: 6 });
  // What the database cannot keep as it is does not keep the rest out.
  const odd = path.join(root, "odd.tar.gz");
  const writer = { documentId: `odd${"0".repeat(21)}\0`, name: "A\ud800\0b", secret: null, ...published };
  await writeArchive(odd, { schemas: exportedSchemas, entities: [[WRITER, 900, writer]], links: [] });
  const told = await cms(root, ["import", odd]);
  expect(told).toMatchObject({ code: 1, stderr: "" });
  expect(told.stdout).toContain(
    "1 x api::writer.writer name: the text holds NUL characters, which were left out, or halves",
  );
  expect(await client`select name from writers where document_id = ${`odd${"0".repeat(21)}`}`).toEqual([
    { name: "A\ufffdb" },
  ]);
  // Nothing but content is left.
  expect(await client`select 1 from information_schema.schemata where schema_name = 'cms_import'`).toHaveLength(0);
  // Numbers that no row can have are refused, not lost.
  for (const [id, why] of [
    [-1, "holds a line that is none of a Strapi export"],
    [3_000_000_000, "holds a line that is none of a Strapi export"],
    [2_147_483_647, "is the largest there is"],
  ] as const) {
    const named = { documentId: "n".repeat(24), name: "N", secret: null, ...published };
    await writeArchive(odd, { schemas: exportedSchemas, entities: [[WRITER, id, named]], links: [] });
    const refused = await cms(root, ["import", odd]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(why)]);
  }
});

test("an export of a version that has other entries is refused, and changes nothing", async () => {
  const root = await project();
  const url = await freshTables(root, atEndOfTest);
  const old = path.join(root, "old.tar.gz");
  for (const version of ["3.6.8", "6.0.0"]) {
    await writeArchive(old, { ...content, version });
    const refused = await cms(root, ["import", old]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      `the export is of Strapi ${version}: exports of version 4 and 5 can be taken over.`,
    );
  }
  const client = postgres(url, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  expect((await client`select count(*)::int as count from documents`)[0]).toEqual({ count: 0 });
});

test("what validators refuse is imported and reported, and required relations only where they have to be there", async () => {
  const root = await generatedImportProject(atEndOfTest);
  const schema = path.join(root, "content-types/writer/schema.json");
  const keeper = '"keeper":{"type":"relation","relation":"oneToOne","target":"api::writer.writer","required":true}';
  const text = (await readFile(schema, "utf8")).replace('"name":{', '"name":{"maxLength":5,');
  await writeFile(schema, text.replace('"attributes":{', `"attributes":{${keeper},`));
  await writeFile(
    path.join(root, "content-types/writer/extension.ts"),
    `import { defineExtension } from "galley-cms";
export default defineExtension<"api::writer.writer">({
  validators: { publish: (schema) => schema.refine(({ secret }) => secret, { path: ["secret"], error: "Say it" }) },
});
`,
  );
  await cmsOutput(root, ["generate"]);
  await freshTables(root, atEndOfTest);
  const archive = path.join(root, "bare.tar.gz");
  const bare = { documentId: "z".repeat(24), name: "Zacharias", ...published };
  await writeArchive(archive, { schemas: exportedSchemas, entities: [[WRITER, 1, bare]], links: [] });
  const strict = await cms(root, ["import", archive, "--dry-run"]);
  expect(strict.stdout).toContain("api::writer.writer: 1 created");
  expect(strict.stdout).toContain("1 x api::writer.writer keeper: is not valid here: must be defined.");
  expect(strict.stdout).toContain("1 x api::writer.writer name: is not valid here: must be at most 5 characters");
  expect(strict.stdout).toContain("1 x api::writer.writer secret: is not valid here: Say it");
  const config = path.join(root, "cms.config.ts");
  const lenient = (await readFile(config, "utf8")).replace(
    "rest: {",
    "documents: { strictRelations: false },\n  rest: {",
  );
  await writeFile(config, lenient);
  expect(await cms(root, ["import", archive])).toMatchObject({
    code: 0,
    stdout: expect.not.stringContaining("keeper"),
  });
});

const identified = z.object({ data: z.array(z.object({ id: z.number(), documentId: z.string(), title: z.string() })) });

test("settings and empty folders are reported, bytes come from elsewhere, and a second import at the same time is refused", async () => {
  const root = await project();
  const url = await freshTables(root, atEndOfTest);
  const archive = path.join(root, "folders.tar.gz");
  await writeArchive(archive, {
    schemas: exportedSchemas,
    entities: [
      ["plugin::upload.folder", 1, { name: "Portraits", pathId: 1, path: "/1", ...dates }],
      ["plugin::upload.folder", 2, { name: "Papers", pathId: 12, path: "/12", ...dates }],
      [
        "plugin::upload.file",
        7,
        {
          documentId: "e".repeat(24),
          name: "Other.pdf",
          hash: "other_1",
          ext: ".pdf",
          mime: "application/pdf",
          size: 0.02,
          url: "/uploads/other_1.pdf",
          provider: "local",
          folderPath: "/12/99",
          ...published,
        },
      ],
    ],
    links: [],
    configuration: [
      { type: "core-store", value: { key: "plugin_users-permissions_grant", value: { github: { secret: "s3cret" } } } },
      { type: "core-store", value: { key: "strapi_content_types_schema", value: {} } },
      { type: "webhook", value: { name: "rebuild", url: "https://build.example/s3cret" } },
    ],
  });
  const elsewhere = path.join(root, "elsewhere");
  await mkdir(elsewhere);
  await writeFile(path.join(elsewhere, "other_1.pdf"), bytes);
  const imported = await cms(root, ["import", archive, "--files", elsewhere]);
  expect(imported.stdout).toContain("1 x plugin::upload.folder: no file is in it");
  expect(imported.stdout).toContain("1 x plugin::upload.file: its folder is not in the export");
  expect(imported.stdout).toContain("1 x plugin_users-permissions_grant: is a setting here");
  expect(imported.stdout).toContain("1 x webhook rebuild: is not imported");
  expect(imported.stdout).not.toMatch(/strapi_content_types_schema|bytes are not/);
  expect(await readFile(path.join(root, ".cms/import-report.jsonl"), "utf8")).not.toContain("s3cret");
  expect(await readFile(path.join(root, "public/uploads/other_1.pdf"))).toEqual(bytes);
  const client = postgres(url, { max: 1, onnotice: () => {} });
  atEndOfTest(() => client.end());
  await client`select pg_advisory_lock(7235193450144)`;
  const refused = await cms(root, ["import", archive]);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("another import is writing to this database");
});

test("rows of version 4 become documents: locales together, published ones with a draft", async () => {
  const root = await project();
  await freshTables(root, atEndOfTest);
  const archive = path.join(root, "four.tar.gz");
  const page = {
    slug: null,
    views: null,
    stamp: null,
    summary: "s",
    sections: [{ __component: "blocks.quote", id: 5, text: "Q" }],
  };
  await writeArchive(archive, {
    version: "4.25.24",
    schemas: exportedSchemas,
    entities: [
      [PAGE, 1, { ...page, title: "One", ...published, locale: "en" }],
      [PAGE, 2, { ...page, title: "Un", ...draft, locale: "fr", sections: [] }],
      [PAGE, 3, { ...page, title: "Two", ...published, locale: "en", sections: [] }],
      [WRITER, 4, { name: "Ada", secret: null, ...dates }],
    ],
    links: [
      link("oneToMany", [PAGE, 1, "localizations", 1], [PAGE, 2]),
      link("oneToMany", [PAGE, 2, "localizations", 1], [PAGE, 1]),
      link("manyToOne", [PAGE, 1, "author"], [WRITER, 4, "pages", 1]),
    ],
  });
  expect((await cms(root, ["import", archive])).stdout).toContain("api::page.page: 5 created");
  const { url } = await serve(root);
  const token = await cmsOutput(root, ["token", "create", "--name", "all", "--type", "full-access"]);
  const numbers = (await readFile(path.join(root, ".cms/v4-ids.jsonl"), "utf8")).trim().split("\n");
  expect(numbers).toHaveLength(4);
  const live = identified.parse(await get(`${url}/api/pages?sort=id`, token)).data;
  expect(live).toMatchObject([
    { id: 1, title: "One" },
    { id: 3, title: "Two" },
  ]);
  const [one] = live;
  expect(numbers).toContain(JSON.stringify({ type: PAGE, id: 2, documentId: one?.documentId, locale: "fr" }));
  const drafts = `${url}/api/pages/${one?.documentId}?status=draft&populate[0]=author&populate[1]=sections`;
  expect(await get(drafts, token)).toMatchObject({
    data: { title: "One", author: { name: "Ada" }, sections: [{ text: "Q" }] },
  });
  expect(await get(`${drafts}&locale=fr`, token)).toMatchObject({ data: { title: "Un", author: null } });
  expect((await cms(root, ["import", archive])).stdout).toContain("api::page.page: 0 created, 5 there before");
});
