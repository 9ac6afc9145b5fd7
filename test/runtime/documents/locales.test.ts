/** What the locales of a document share: attributes that are not localized are alike in all versions of one status. */
import { integer, json, pgTable, varchar } from "drizzle-orm/pg-core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { isRecord } from "../../../runtime/base/is-record.ts";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import {
  fileLinkColumns,
  linkIndexes,
  localeColumn,
  toFile,
  versionColumns,
  versionIndexes,
} from "../../../runtime/schema/columns.ts";
import {
  type ComponentFields,
  defineComponent,
  defineContentType,
  type DocumentFields,
  type File,
} from "../../../runtime/schema/content-type.ts";
import type { Status } from "../../../runtime/schema/document.ts";
import * as validators from "../../../runtime/schema/validators.ts";
import { createTables } from "../../support/create-tables.ts";
import { freshDatabase } from "../../support/database.ts";
import { idOf } from "../../support/document-id.ts";
import { testServices } from "../../support/services.ts";

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

const LOCALES = ["en", "fr", "de"] as const;
const POPULATE = ["boxes", "cover", "gallery"];

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
    (version) => versionIndexes(name, version),
  );
  const gallery = pgTable(
    `${name}_gallery`,
    fileLinkColumns(() => pages.id),
    (link) => linkIndexes(`${name}_gallery`, link),
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
const pages = documents("api::page.page");
const notes = documents("api::note.note");
const fileIds = [1, 2, 3];
await database.rows(
  `insert into files (id, document_id, name, hash, mime, size, url, provider, created_at, updated_at)
   select id, 'file' || id, 'file', 'hash', 'text/plain', 1, '/file', 'local', now(), now() from unnest($1::int[]) as id`,
  [fileIds],
);

type Locale = (typeof LOCALES)[number];

/** What all locales share, and the title, which they do not. */
interface Content {
  readonly title: string | null;
  readonly size: number | null;
  readonly boxes: readonly string[];
  readonly cover: number | null;
  readonly gallery: readonly number[];
}

const EMPTY: Content = { title: null, size: null, boxes: [], cover: null, gallery: [] };

/** Versions of one document by status and locale, in the order in which they were made. */
class Model {
  readonly draft = new Map<Locale, Content>();
  readonly published = new Map<Locale, Content>();
  readonly #hasDrafts: boolean;

  constructor(hasDrafts: boolean) {
    this.#hasDrafts = hasDrafts;
  }

  write(locale: Locale, data: Partial<Content>, status: Status): void {
    const written = this.#hasDrafts ? "draft" : "published";
    const versions = this[written];
    const sibling = versions.get("en") ?? [...versions.values()][0];
    const before = versions.get(locale) ?? (sibling ? { ...sibling, title: null } : EMPTY);
    this.#put(written, locale, { ...before, ...data });
    if (written !== status && status === "published") this.publish(locale);
  }

  #put(status: Status, locale: Locale, content: Content): void {
    const versions = this[status];
    versions.set(locale, content);
    for (const [other, { title }] of versions) versions.set(other, { ...content, title });
    versions.set(locale, content);
  }

  publish(locale: Locale): void {
    const draft = this.draft.get(locale);
    if (draft) this.#put("published", locale, draft);
  }

  discard(locale: Locale): void {
    const published = this.published.get(locale);
    if (published) this.#put("draft", locale, published);
  }

  remove(locale: Locale): void {
    this.draft.delete(locale);
    this.published.delete(locale);
  }
}

const listOf = (value: unknown, key: string): unknown[] =>
  Array.isArray(value) ? value.map((each: unknown) => (isRecord(each) ? each[key] : each)) : [];

/** A version as it is read, told like {@link Content}. */
const seen = (read: unknown): unknown =>
  isRecord(read)
    ? {
        title: read["title"],
        size: read["size"],
        boxes: listOf(read["boxes"], "text"),
        cover: isRecord(read["cover"]) ? read["cover"]["id"] : null,
        gallery: listOf(read["gallery"], "id"),
      }
    : null;

const locale = fc.constantFrom(...LOCALES);
const data: fc.Arbitrary<Partial<Content>> = fc.record(
  {
    title: fc.constantFrom("one", "two"),
    size: fc.nat(9),
    boxes: fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }),
    cover: fc.constantFrom(...fileIds),
    gallery: fc.uniqueArray(fc.constantFrom(...fileIds)),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      locale,
      data,
      status: fc.constantFrom<Status>("draft", "published"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("publish", "unpublish", "discard", "remove"), locale }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const bodyOf = ({ boxes, ...rest }: Partial<Content>) => ({
  ...rest,
  ...(boxes ? { boxes: boxes.map((text) => ({ text })) } : {}),
});

/** Does the same to the document and to the model; steps that there is nothing for are left out. */
const apply = async (service: typeof pages, documentId: string, model: Model, taken: Step): Promise<void> => {
  const { locale: code } = taken;
  const versions = model.draft.size > 0 ? model.draft : model.published;
  switch (taken.kind) {
    case "write":
      await service.update(documentId, { data: bodyOf(taken.data), locale: code, status: taken.status });
      return model.write(code, taken.data, taken.status);
    case "publish":
      if (model.draft.has(code)) await service.publish(documentId, { locale: code });
      return model.publish(code);
    case "unpublish":
      if (!model.draft.has(code)) return;
      await service.unpublish(documentId, { locale: code });
      model.published.delete(code);
      return;
    case "discard":
      if (!model.draft.has(code) || !model.published.has(code)) return;
      await service.discardDraft(documentId, { locale: code });
      return model.discard(code);
    case "remove":
      // With its last locale the document would go.
      if (versions.size < 2) return;
      await service.delete(documentId, { locale: code });
      return model.remove(code);
  }
};

test.each([
  ["with drafts", pages, true],
  ["without drafts", notes, false],
])(
  "after every sequence of writes, the locales of a document %s share what is not localized",
  async (_, service, hasDrafts) => {
    await fc.assert(
      fc.asyncProperty(locale, data, fc.array(step, { maxLength: 12, size: "max" }), async (first, start, steps) => {
        const model = new Model(hasDrafts);
        const documentId = idOf(await service.create({ data: bodyOf(start), locale: first }));
        model.write(first, start, "published");
        for (const taken of steps) {
          await apply(service, documentId, model, taken);
          for (const status of ["draft", "published"] as const) {
            for (const code of LOCALES) {
              const read = await service.findOne(documentId, { locale: code, status, populate: POPULATE });
              const wanted = hasDrafts ? model[status].get(code) : model.published.get(code);
              expect(seen(read), `${status} ${code} after ${JSON.stringify(taken)}`).toEqual(wanted ?? null);
            }
          }
        }
      }),
      { numRuns: 40 },
    );
  },
  120_000,
);

test("a value that was changed in one locale does not come back when another is published", async () => {
  const documentId = idOf(await pages.create({ data: { title: "en", size: 1 }, locale: "en" }));
  await pages.update(documentId, { data: { title: "fr" }, locale: "fr" });
  await pages.update(documentId, { data: { size: 5 }, locale: "en" });
  await pages.update(documentId, { data: { title: "fr again" }, locale: "fr" });
  expect(await pages.findOne(documentId, { locale: "en" })).toMatchObject({ size: 5 });
});

test("a new locale takes over the files of the others, and does not take them away", async () => {
  const documentId = idOf(await pages.create({ data: { title: "en", gallery: [1, 2] }, locale: "en" }));
  await pages.update(documentId, { data: { title: "fr" }, locale: "fr" });
  for (const code of ["en", "fr"]) {
    const read = await pages.findOne(documentId, { locale: code, populate: ["gallery"] });
    expect(read).toMatchObject({ gallery: [{ id: 1 }, { id: 2 }] });
  }
});
