/** `cms export`: what it writes, and that taking it over again loses nothing. */
import { readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { atEndOfTest, cms, cmsOutput, serve } from "../support/cms.ts";
import { bytes, content, draft, FOLDER, ids, PAGE, WRITER } from "../support/exported-content.ts";
import { freshTables, generatedImportProject } from "../support/import-project.ts";
import { encrypted, type Exported, link, writeArchive } from "../support/strapi-archive.ts";

const root = await generatedImportProject(afterAll);

/** A published page leads to one that is a draft only: Strapi has no such links, and here they wait. */
const waiting: Exported = {
  ...content,
  entities: [
    ...content.entities,
    [
      PAGE,
      20,
      {
        documentId: "c".repeat(24),
        title: "C",
        slug: "c",
        views: null,
        stamp: null,
        summary: "s",
        ...draft,
        locale: "en",
        sections: [],
      },
    ],
  ],
  links: [...content.links, link("oneToMany", [PAGE, 12, "related", 1], [PAGE, 20])],
};

/** The files of an archive, as text. */
const filesOf = async (file: string): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>();
  const archive = extract();
  Readable.from([gunzipSync(await readFile(file))]).pipe(archive);
  for await (const entry of archive) found.set(entry.header.name, await text(entry));
  return found;
};

const entity = z.object({ type: z.string(), id: z.number(), data: z.record(z.string(), z.unknown()) });

const linesOf = (files: ReadonlyMap<string, string>, name: string): readonly unknown[] =>
  (files.get(name) ?? "").split("\n").flatMap((line): unknown[] => (line === "" ? [] : [JSON.parse(line)]));

test("what was exported, taken over and exported again is the same to the byte, and like an archive of Strapi's", async () => {
  await freshTables(root, atEndOfTest);
  const [original, first, again, locked] = ["original", "first", "again", "locked"].map((name) =>
    path.join(root, `${name}.tar.gz`),
  );
  if (!original || !first || !again || !locked) throw new Error("no names");
  await writeArchive(original, waiting);
  await cms(root, ["import", original]);
  expect(await cmsOutput(root, ["export", first])).toContain("api::page.page: 6 rows");
  expect((await stat(first)).mode & 0o777).toBe(0o600);
  await cmsOutput(root, ["export", locked, "--key", "open sesame"]);
  expect(await readFile(locked)).toEqual(encrypted(await readFile(first), "open sesame"));

  await freshTables(root, atEndOfTest);
  expect(await cmsOutput(root, ["import", locked, "--key", "open sesame"])).toContain("import of an export of Galley");
  await cmsOutput(root, ["export", again]);
  expect((await readFile(again)).equals(await readFile(first))).toBe(true);

  const files = await filesOf(first);
  expect([...files.keys()].at(-1)).toBe("metadata.json");
  expect(files.get("assets/uploads/raport_1.pdf")).toBe(bytes.toString());
  expect(JSON.parse(files.get("assets/metadata/raport_1.pdf.json") ?? "")).toMatchObject({ id: 7, name: "Räport.pdf" });
  const rows = linesOf(files, "entities/entities_00001.jsonl").map((line) => entity.parse(line));
  const row = (type: string, id: number) => rows.find((each) => each.type === type && each.id === id)?.data;
  for (const [type, id, data] of waiting.entities) {
    if (type.startsWith("plugin::users-permissions.permission") || type === FOLDER) continue;
    // Attributes that the project has no more are not here, and folders have other numbers.
    const kept = Object.entries<unknown>(data).filter(([name]) => name !== "gone" && name !== "folderPath");
    for (const [name, value] of kept) expect(row(type, id)?.[name]).toEqual<unknown>(value);
  }
  // Folders are made of the names in the path that a file has.
  expect([row(FOLDER, 1), row(FOLDER, 2), row("plugin::upload.file", 7)]).toMatchObject([
    { name: "Press 50%", pathId: 1, path: "/1" },
    { name: "Fotos / été", pathId: 2, path: "/1/2" },
    { folderPath: "/1/2" },
  ]);
  const links = linesOf(files, "links/links_00001.jsonl");
  for (const { left, right } of [
    { left: { type: "blocks.hero", field: "by", ref: 41 }, right: { type: WRITER, ref: 9 } },
    { left: { type: PAGE, field: "related", ref: 2, pos: 1 }, right: { type: PAGE, ref: 12 } },
    // A link to one version, and one to a document.
    { left: { type: PAGE, field: "mentions", ref: 3 }, right: { type: PAGE, field: null, ref: 1, pos: 1 } },
    { left: { type: PAGE, field: "mentions", ref: 3 }, right: { type: WRITER, field: "", ref: 9, pos: 2 } },
    { left: { type: FOLDER, field: "parent", ref: 2 }, right: { type: FOLDER, field: "children", ref: 1, pos: 1 } },
    {
      left: { type: "plugin::upload.file", field: "folder", ref: 7 },
      right: { type: FOLDER, field: "files", ref: 2, pos: 1 },
    },
  ]) {
    expect(links).toContainEqual(expect.objectContaining({ left, right }));
  }
  expect(linesOf(files, "galley/galley_00001.jsonl")).toMatchObject([
    { left: { ref: 12, field: "related" }, right: { type: PAGE, documentId: "c".repeat(24) } },
  ]);
  const schemas = linesOf(files, "schemas/schemas_00001.jsonl");
  expect(schemas).toContainEqual(expect.objectContaining({ uid: PAGE, modelType: "contentType", globalId: "Page" }));
  expect(schemas).toContainEqual(expect.objectContaining({ uid: "blocks.hero", globalId: "ComponentBlocksHero" }));
});

test("the embedded database is exported while a server runs on it", async () => {
  await rm(path.join(root, ".env"));
  await cmsOutput(root, ["migrate"]);
  const archive = path.join(root, "small.tar.gz");
  await writeArchive(archive, content);
  await cms(root, ["import", archive]);
  const { url } = await serve(root);
  const backup = path.join(root, "backup.tar.gz");
  expect(await cmsOutput(root, ["export", backup])).toContain("api::page.page: 5 rows");
  expect((await fetch(`${url}/api/pages`)).status).toBe(200);
  const rows = linesOf(await filesOf(backup), "entities/entities_00001.jsonl");
  expect(rows).toContainEqual(
    expect.objectContaining({ type: WRITER, data: expect.objectContaining({ documentId: ids.ada, secret: "hidden" }) }),
  );
});
