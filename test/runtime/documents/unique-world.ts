/** Pages whose components, nested ones and zones have unique values, and notes that have one of them. */
import { json, pgTable, varchar } from "drizzle-orm/pg-core";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import { localeColumn, versionColumns, versionIndexes } from "../../../runtime/schema/columns.ts";
import {
  type ComponentFields,
  defineComponent,
  defineContentType,
  type DocumentFields,
} from "../../../runtime/schema/content-type.ts";
import { conditional, slug, when } from "../../../runtime/schema/validators.ts";
import { createTables } from "../../support/create-tables.ts";
import { type DatabaseKind, freshDatabase, recording } from "../../support/database.ts";
import { testServices } from "../../support/services.ts";

interface Tag extends ComponentFields {
  code: string | null;
}
interface Link extends ComponentFields {
  label: string | null;
  order: number | null;
  hidden: boolean | null;
  secret: string | null;
  tag?: Tag | null;
}
interface Page extends DocumentFields {
  locale: string;
  title: string | null;
  tag?: Tag | null;
  links?: Link[];
  others?: Link[];
  /** Alike in every locale. */
  shared?: Tag | null;
  sections?: ((Link & { __component: "shared.link" }) | (Tag & { __component: "shared.tag" }))[];
}
interface Note extends DocumentFields {
  links?: Link[];
}

const tag = defineComponent<Tag>({
  uid: "shared.tag",
  attributes: { code: { type: "uid" } },
});
const tagSchema = z.object({ code: slug().max(255).nullish() });

const link = defineComponent<Link>({
  uid: "shared.link",
  attributes: {
    label: { type: "string", unique: true },
    order: { type: "float", unique: true },
    hidden: { type: "boolean" },
    secret: { type: "string", unique: true },
    tag: { type: "component", component: "shared.tag" },
  },
});
const linkSchema = conditional(
  z.object({
    label: z.string().max(255).nullish(),
    order: z.number().nullish(),
    hidden: z.boolean().nullish(),
    secret: when({ visible: { "==": [{ var: "hidden" }, false] } }, z.string().max(255).nullish()),
    tag: tagSchema.nullish(),
  }),
);

const pages = pgTable(
  "pages",
  {
    ...versionColumns(),
    ...localeColumn(),
    title: varchar("title", { length: 255 }),
    tag: json("tag"),
    links: json("links"),
    others: json("others"),
    shared: json("shared"),
    sections: json("sections"),
  },
  (version) => versionIndexes(version),
);
const notes = pgTable("notes", { ...versionColumns(), links: json("links") }, (version) => versionIndexes(version));

const page = defineContentType<Page>({
  uid: "api::page.page",
  kind: "collectionType",
  singularName: "page",
  pluralName: "pages",
  draftAndPublish: true,
  localized: true,
  table: pages,
  attributes: {
    title: { type: "string", column: pages.title, localized: true },
    tag: { type: "component", component: "shared.tag", column: pages.tag, localized: true },
    links: { type: "component", component: "shared.link", repeatable: true, column: pages.links, localized: true },
    others: { type: "component", component: "shared.link", repeatable: true, column: pages.others, localized: true },
    shared: { type: "component", component: "shared.tag", column: pages.shared },
    sections: {
      type: "dynamiczone",
      components: ["shared.link", "shared.tag"],
      column: pages.sections,
      localized: true,
    },
  },
});
const note = defineContentType<Note>({
  uid: "api::note.note",
  kind: "collectionType",
  singularName: "note",
  pluralName: "notes",
  draftAndPublish: false,
  localized: false,
  table: notes,
  attributes: { links: { type: "component", component: "shared.link", repeatable: true, column: notes.links } },
});

const pageDraft = z.object({
  title: z.string().max(255).nullish(),
  tag: tagSchema.nullish(),
  links: z.array(linkSchema).optional(),
  others: z.array(linkSchema).optional(),
  shared: tagSchema.nullish(),
  sections: z
    .array(
      z.discriminatedUnion("__component", [
        linkSchema.extend({ __component: z.literal("shared.link") }),
        tagSchema.extend({ __component: z.literal("shared.tag") }),
      ]),
    )
    .optional(),
});

const application = {
  contentTypes: {
    "api::page.page": {
      type: page,
      draftValidator: pageDraft,
      validator: pageDraft.extend({ title: z.string().max(255) }),
    },
    "api::note.note": {
      type: note,
      validator: z.object({ links: z.array(linkSchema).optional() }),
    },
  },
  components: {
    "shared.tag": { component: tag, validator: tagSchema },
    "shared.link": { component: link, validator: linkSchema },
  },
} as const;

/** Its document services on a fresh database, and the statements that they send. */
export const openUniqueWorld = async (kind: DatabaseKind) => {
  const { database, statements } = recording(await freshDatabase(kind, onTestFinished));
  await createTables(database, { pages, notes });
  const config = { locales: { default: "en", codes: ["en", "fr"] } };
  const documents = anyDocuments(await testServices(application, { database, config }));
  return { pages: documents("api::page.page"), notes: documents("api::note.note"), statements };
};
