/** Pages and notes with full-text search, in an application of their own. */
import { afterAll, expect } from "vitest";
import { z } from "zod";
import { files } from "../../../runtime/schema/tables/searched-files.ts";
import { createTables, tablesOf } from "../../support/create-tables.ts";
import { type bothDatabases, freshDatabase } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { applicationOf } from "../../support/render-project.ts";
import { folderOfRun } from "../../support/run-folder.ts";
import { writeFiles } from "../../support/workspace.ts";

const i18n = { pluginOptions: { i18n: { localized: true } } };
const schemaFiles: readonly [string, string][] = [
  [
    "content-types/page/schema.json",
    JSON.stringify({
      info: { singularName: "page", pluralName: "pages", displayName: "page" },
      options: { draftAndPublish: true, search: { weights: { title: "A" } } },
      ...i18n,
      attributes: {
        title: { type: "string", ...i18n },
        text: { type: "text", ...i18n },
        secret: { type: "text", private: true, ...i18n },
        kind: { type: "enumeration", enum: ["guide", "news"], ...i18n },
        grade: { type: "enumeration", enum: ["low", "high"], private: true, ...i18n },
        notes: { type: "relation", relation: "manyToMany", target: "api::note.note" },
        quiet: { type: "text", search: false, ...i18n },
        cover: { type: "media", search: true, ...i18n },
        images: { type: "media", multiple: true, search: true, ...i18n },
        scan: { type: "media", search: true, private: true, ...i18n },
        plain: { type: "media", ...i18n },
        defaultLocale: { type: "string", ...i18n },
        body: { type: "blocks", ...i18n },
        sections: { type: "dynamiczone", components: ["shared.part"], ...i18n },
      },
    }),
  ],
  [
    "content-types/note/schema.json",
    JSON.stringify({
      info: { singularName: "note", pluralName: "notes", displayName: "note" },
      options: { search: { language: "de" } },
      attributes: { title: { type: "string" }, text: { type: "text" } },
    }),
  ],
  [
    "content-types/components/shared/part.json",
    JSON.stringify({
      info: { displayName: "part" },
      attributes: {
        shown: { type: "text" },
        hushed: { type: "text", private: true },
        // The name of the table.
        pages: { type: "component", component: "shared.leaf" },
      },
    }),
  ],
  [
    "content-types/components/shared/leaf.json",
    JSON.stringify({ info: { displayName: "leaf" }, attributes: { label: { type: "string" } } }),
  ],
];

const folder = await folderOfRun("words");
writeFiles(folder, schemaFiles);
export const application = await applicationOf(folder);

/** A list of pages. */
export const titles = z.object({
  data: z.array(z.looseObject({ title: z.string() })),
  meta: z.object({ pagination: z.looseObject({ total: z.number() }) }),
});

/** Serves some pages and notes from a database of their own, and asks for them. */
export const servePages = async (kind: (typeof bothDatabases)[number]) => {
  const database = await freshDatabase(kind, afterAll);
  await createTables(database, { ...tablesOf(application), files });
  const locales = { default: "en", codes: ["en", "de"] };
  const narrow = { "api::page.page": ["title", "body"] };
  const config = { locales, search: { engine: "postgres" as const }, fields: { public: narrow } };
  const app = await exampleApp(afterAll, database, config, application);
  const full = await app.token();
  await app.allowPublic("api::page.page.find");
  const write = (path: string, data: object, method = "POST") =>
    app.send(method, path, { token: full, body: { data } });
  const find = async (query: string, path = "pages") => {
    const { data, meta } = titles.parse((await app.send("GET", `/api/${path}?${query}`, { token: full })).body);
    expect(meta.pagination.total).toBe(data.length);
    return data.map(({ title }) => title);
  };

  const made = z.object({ data: z.object({ documentId: z.string() }) });
  const notes = await Promise.all(
    ["Zettel", "Another"].map(
      async (title) =>
        made.parse((await write("/api/notes", { title, text: "Mit vielen Häusern" })).body).data.documentId,
    ),
  );
  await write("/api/pages", {
    title: "Houses",
    text: "We were running along the café by the river",
    secret: "treasure",
    quiet: "whisper",
    body: [
      {
        type: "paragraph",
        children: [
          { type: "text", text: "A bold claim, un" },
          { type: "text", text: "believ", bold: true },
          { type: "text", text: "able " },
          { type: "link", url: "https://linked.example", children: [{ type: "text", text: "elsewhere" }] },
        ],
      },
    ],
    sections: [
      { __component: "shared.part", shown: "orchard and **in**side", hushed: "dungeon", pages: { label: "Lantern" } },
    ],
    kind: "guide",
    grade: "high",
    notes: { connect: notes },
  });
  await write("/api/pages", { title: "River", text: "A short one", kind: "news", notes: { connect: notes.slice(1) } });
  await write("/api/pages?status=draft", { title: "Draft of a river" });
  await write("/api/pages?locale=de", { title: "Häuser", text: "Die Häuser am Fluß" });
  /** Stores a file with these texts, and returns its id. */
  const addFile = async (alternativeText: string, caption: string) => {
    const [row] = await database.rows(
      `insert into files (document_id, name, alternative_text, caption, hash, mime, size, url, provider, created_at, updated_at)
      values (gen_random_uuid()::text, 'a.png', $1, $2, 'a', 'image/png', 1, '/uploads/a.png', 'local', now(), now()) returning id`,
      [alternativeText, caption],
    );
    return Number(row?.[0]);
  };
  const refused = async (query: string) => (await app.send("GET", `/api/pages?${query}`, { token: full })).text;
  return { addFile, app, config, database, find, full, made, notes, refused, write };
};
