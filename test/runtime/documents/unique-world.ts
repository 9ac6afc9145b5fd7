/** Pages whose components, nested ones and zones have unique values, and notes that have one of them. */
import { json, pgTable, varchar } from "drizzle-orm/pg-core";
import { onTestFinished } from "vitest";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import { localeColumn, versionColumns, versionIndexes } from "../../../runtime/schema/columns.ts";
import {
  type ComponentFields,
  defineComponent,
  defineContentType,
  type DocumentFields,
} from "../../../runtime/schema/content-type.ts";
import * as validators from "../../../runtime/schema/validators.ts";
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
  sections?: ((Link & { __component: "shared.link" }) | (Tag & { __component: "shared.tag" }))[];
}
interface Note extends DocumentFields {
  links?: Link[];
}

const tag = defineComponent<Tag>({
  uid: "shared.tag",
  displayName: "Tag",
  attributes: { code: { type: "uid" } },
});
const tagValidator = validators.validator({ code: validators.uid() });

const link = defineComponent<Link>({
  uid: "shared.link",
  displayName: "Link",
  attributes: {
    label: { type: "string", unique: true },
    order: { type: "float", unique: true },
    hidden: { type: "boolean" },
    secret: { type: "string", unique: true },
    tag: { type: "component", component: "shared.tag" },
  },
});
const linkValidator = validators.validator({
  label: validators.string({ unique: true }),
  order: validators.float({ unique: true }),
  hidden: validators.boolean(),
  secret: validators.string({ unique: true, condition: { visible: { "==": [{ var: "hidden" }, false] } } }),
  tag: validators.component(tagValidator),
});

const pages = pgTable(
  "pages",
  {
    ...versionColumns(),
    ...localeColumn(),
    title: varchar("title", { length: 255 }),
    tag: json("tag"),
    links: json("links"),
    others: json("others"),
    sections: json("sections"),
  },
  (version) => versionIndexes("pages", version),
);
const notes = pgTable("notes", { ...versionColumns(), links: json("links") }, (version) =>
  versionIndexes("notes", version),
);

const page = defineContentType<Page>({
  uid: "api::page.page",
  kind: "collectionType",
  singularName: "page",
  pluralName: "pages",
  displayName: "Page",
  draftAndPublish: true,
  localized: true,
  table: pages,
  attributes: {
    title: { type: "string", column: pages.title, localized: true, required: true },
    tag: { type: "component", component: "shared.tag", column: pages.tag, localized: true },
    links: { type: "component", component: "shared.link", repeatable: true, column: pages.links, localized: true },
    others: { type: "component", component: "shared.link", repeatable: true, column: pages.others, localized: true },
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
  displayName: "Note",
  draftAndPublish: false,
  localized: false,
  table: notes,
  attributes: { links: { type: "component", component: "shared.link", repeatable: true, column: notes.links } },
});

const application = {
  contentTypes: {
    "api::page.page": {
      type: page,
      validator: validators.validator({
        title: validators.string({ required: true }),
        tag: validators.component(tagValidator),
        links: validators.components(linkValidator),
        others: validators.components(linkValidator),
        sections: validators.dynamicZone({ "shared.link": linkValidator, "shared.tag": tagValidator }),
      }),
    },
    "api::note.note": {
      type: note,
      validator: validators.validator({ links: validators.components(linkValidator) }),
    },
  },
  components: {
    "shared.tag": { component: tag, validator: tagValidator },
    "shared.link": { component: link, validator: linkValidator },
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
