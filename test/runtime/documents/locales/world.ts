/** Pages and notes in several locales, with components and files that all locales share. */
import { integer, json, pgTable, varchar } from "drizzle-orm/pg-core";
import { z } from "zod";
import { anyDocuments } from "../../../../runtime/documents/create-documents.ts";
import {
  fileLinkColumns,
  linkIndexes,
  localeColumn,
  toFile,
  versionColumns,
  versionIndexes,
} from "../../../../runtime/schema/columns.ts";
import {
  type ComponentFields,
  defineComponent,
  defineContentType,
  type DocumentFields,
  type File,
} from "../../../../runtime/schema/content-type.ts";
import * as validators from "../../../../runtime/schema/validators.ts";
import { createTables } from "../../../support/create-tables.ts";
import { freshDatabase } from "../../../support/database.ts";
import { testServices } from "../../../support/services.ts";

interface Box extends ComponentFields {
  text: string | null;
}

interface Page extends DocumentFields {
  locale: string;
  title: string | null;
  size: number | null;
  boxes?: Box[];
  cover?: File | null;
  gallery?: File[];
}

export const LOCALES = ["en", "fr", "de"] as const;
export type Locale = (typeof LOCALES)[number];

const pageTables = (name: string) => {
  const pages = pgTable(
    name,
    {
      ...versionColumns(),
      ...localeColumn(),
      title: varchar("title", { length: 255 }),
      size: integer("size"),
      boxes: json("boxes"),
      cover: toFile("cover_id"),
    },
    (version) => versionIndexes(version),
  );
  const gallery = pgTable(
    `${name}_gallery`,
    fileLinkColumns(() => pages.id),
    linkIndexes,
  );
  return { pages, gallery };
};

const withDrafts = pageTables("pages");
const withoutDrafts = pageTables("notes");

const boxSchema = z.object({ text: z.string().max(255).nullish() });
const schema = z.object({
  title: z.string().max(255).nullish(),
  size: z.int32().nullish(),
  boxes: z.array(boxSchema).optional(),
  cover: validators.fileId().nullish(),
  gallery: validators.fileIds().optional(),
});

const pageType = (singularName: string, { pages, gallery }: typeof withDrafts, draftAndPublish: boolean) =>
  defineContentType<Page>({
    uid: `api::${singularName}.${singularName}`,
    kind: "collectionType",
    singularName,
    pluralName: `${singularName}s`,
    draftAndPublish,
    localized: true,
    table: pages,
    attributes: {
      title: { type: "string", column: pages.title, localized: true },
      size: { type: "integer", column: pages.size },
      boxes: { type: "component", component: "shared.box", repeatable: true, column: pages.boxes },
      cover: { type: "media", column: pages.cover },
      gallery: { type: "media", multiple: true, link: gallery },
    },
  });

/** Files that are there, by their ids. */
export const FILES = [1, 2, 3];

/** Pages, which have drafts, and notes, which have none, on a server. */
export const createPages = async () => {
  const database = await freshDatabase("postgres");
  await createTables(database, {
    pages: withDrafts.pages,
    pagesGallery: withDrafts.gallery,
    notes: withoutDrafts.pages,
    notesGallery: withoutDrafts.gallery,
  });
  const services = await testServices(
    {
      contentTypes: {
        "api::page.page": { type: pageType("page", withDrafts, true), validator: schema },
        "api::note.note": { type: pageType("note", withoutDrafts, false), validator: schema },
      },
      components: {
        "shared.box": {
          component: defineComponent<Box>({
            uid: "shared.box",
            attributes: { text: { type: "string" } },
          }),
          validator: boxSchema,
        },
      },
    },
    { database, config: { locales: { default: "en", codes: [...LOCALES] } } },
  );
  const documents = anyDocuments(services);
  await database.rows(
    `insert into files (id, document_id, name, hash, mime, size, url, provider, created_at, updated_at)
     select id, 'file' || id, 'file', 'hash', 'text/plain', 1, '/file', 'local', now(), now() from unnest($1::int[]) as id`,
    [FILES],
  );
  return { pages: documents("api::page.page"), notes: documents("api::note.note") };
};
