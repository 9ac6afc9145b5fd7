/** A required repeatable component or zone has to be there whenever a document or a locale of one is made. */
import { json, pgTable } from "drizzle-orm/pg-core";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import { localeColumn, versionColumns, versionIndexes } from "../../../runtime/schema/columns.ts";
import { defineComponent, defineContentType } from "../../../runtime/schema/content-type.ts";
import { createTables } from "../../support/create-tables.ts";
import { freshDatabase } from "../../support/database.ts";
import { testServices } from "../../support/services.ts";

const pages = pgTable(
  "pages",
  { ...versionColumns(), ...localeColumn(), compos: json("compos"), zone: json("zone") },
  (version) => versionIndexes(version),
);

const note = defineComponent({ uid: "shared.note", attributes: { text: { type: "string" } } });
const noteSchema = z.object({ text: z.string().max(255).nullish() });
const noteEntry = noteSchema.extend({ __component: z.literal("shared.note") });

const page = defineContentType({
  uid: "api::page.page",
  kind: "collectionType",
  singularName: "page",
  pluralName: "pages",
  draftAndPublish: true,
  localized: true,
  table: pages,
  attributes: {
    compos: {
      type: "component",
      component: "shared.note",
      repeatable: true,
      column: pages.compos,
      required: true,
      localized: true,
    },
    zone: { type: "dynamiczone", components: ["shared.note"], column: pages.zone, localized: true },
  },
});

const draftValidator = z.object({
  compos: z.array(noteSchema),
  zone: z.array(z.discriminatedUnion("__component", [noteEntry])),
});
const validator = draftValidator.extend({ compos: z.array(noteSchema).min(1) });

const missing = (...names: string[]) => ({
  details: { errors: names.map((name) => ({ path: [name], message: `${name} must be defined.` })) },
});

test("a required list is asked for in drafts too, and may be empty there; changes may leave it out", async () => {
  const database = await freshDatabase("postgres", onTestFinished);
  await createTables(database, { pages });
  const services = await testServices(
    {
      contentTypes: { "api::page.page": { type: page, validator, draftValidator } },
      components: { "shared.note": { component: note, validator: noteSchema } },
    },
    { database, config: { locales: { default: "en", codes: ["en", "fr"] } } },
  );
  const documents = anyDocuments(services)("api::page.page");
  const draft = { locale: "en", status: "draft" } as const;
  await expect(documents.create({ data: {}, ...draft })).rejects.toMatchObject(missing("compos", "zone"));
  await expect(documents.create({ data: { zone: [] }, ...draft })).rejects.toMatchObject(missing("compos"));
  const created: unknown = await documents.create({ data: { compos: [], zone: [] }, ...draft });
  const { documentId } = z.object({ documentId: z.string() }).parse(created);
  await documents.update(documentId, { data: { compos: [{ text: "a" }] }, ...draft });
  const french = { locale: "fr", status: "draft" } as const;
  await expect(documents.update(documentId, { data: {}, ...french })).rejects.toMatchObject(missing("compos", "zone"));
  await documents.update(documentId, { data: { compos: [], zone: [] }, ...french });
});
