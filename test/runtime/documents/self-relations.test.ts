/** Documents that lead to themselves, by every kind of relation and from either side. */
import { type AnyPgColumn, json, pgTable } from "drizzle-orm/pg-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import {
  columnIndex,
  inverseIndex,
  inversePosition,
  linkColumns,
  linkIndexes,
  toDocument,
  versionColumns,
  versionIndexes,
} from "../../../runtime/schema/columns.ts";
import {
  type ComponentFields,
  defineComponent,
  defineContentType,
  type DocumentFields,
} from "../../../runtime/schema/content-type.ts";
import { toMany, toOne } from "../../../runtime/schema/validators.ts";
import { createTables } from "../../support/create-tables.ts";
import { bothDatabases, freshDatabase, recording } from "../../support/database.ts";
import { testServices } from "../../support/services.ts";

interface Box extends ComponentFields {
  picks?: Page[];
}

interface Page extends DocumentFields {
  related?: Page[];
  sources?: Page[];
  uses?: Page[];
  origin?: Page | null;
  parent?: Page | null;
  children?: Page[];
  twin?: Page | null;
  twinOf?: Page | null;
  box?: Box | null;
}

const pages = pgTable(
  "pages",
  {
    ...versionColumns(),
    origin: toDocument("origin_document_id"),
    parent: toDocument("parent_document_id"),
    parentPosition: inversePosition("parent_position"),
    twin: toDocument("twin_document_id"),
    box: json("box"),
  },
  (version) => [
    ...versionIndexes(version),
    columnIndex(version.origin),
    inverseIndex(version.parent, version.parentPosition),
    columnIndex(version.twin),
  ],
);
const pagesRelated = pgTable(
  "pages_related",
  linkColumns((): AnyPgColumn => pages.id),
  linkIndexes,
);
const pagesSources = pgTable(
  "pages_sources",
  { ...linkColumns((): AnyPgColumn => pages.id), inversePosition: inversePosition("inverse_position") },
  linkIndexes,
);

const uid = "api::page.page";
const toPages = { type: "relation", target: uid } as const;
const page = (draftAndPublish: boolean) =>
  defineContentType<Page>({
    uid,
    kind: "collectionType",
    singularName: "page",
    pluralName: "pages",
    draftAndPublish,
    localized: false,
    table: pages,
    attributes: {
      related: { ...toPages, relation: "oneToMany", link: pagesRelated },
      sources: { ...toPages, relation: "manyToMany", link: pagesSources },
      uses: { ...toPages, relation: "manyToMany", mappedBy: "sources" },
      origin: { ...toPages, relation: "manyToOne", column: pages.origin },
      parent: {
        ...toPages,
        relation: "manyToOne",
        column: pages.parent,
        inversePosition: pages.parentPosition,
      },
      children: { ...toPages, relation: "oneToMany", mappedBy: "parent" },
      twin: { ...toPages, relation: "oneToOne", column: pages.twin, inverse: "twinOf" },
      twinOf: { ...toPages, relation: "oneToOne", mappedBy: "twin" },
      box: { type: "component", component: "shared.box", column: pages.box },
    },
  });
const box = z.object({ picks: toMany().optional() });
const many = toMany().optional();
const one = toOne().nullish();
const validator = z.object({
  related: many,
  sources: many,
  uses: many,
  origin: one,
  parent: one,
  children: many,
  twin: one,
  twinOf: one,
  box: box.nullish(),
});

/** Each attribute by which a page may lead to itself, with the one that shows the same from the other side. */
const relations = [
  ["related", undefined],
  ["sources", "uses"],
  ["uses", "sources"],
  ["origin", undefined],
  ["parent", "children"],
  ["children", "parent"],
  ["twin", "twinOf"],
  ["twinOf", "twin"],
] as const;

const open = async (kind: (typeof bothDatabases)[number], draftAndPublish: boolean) => {
  const { database, statements } = recording(await freshDatabase(kind, onTestFinished));
  await createTables(database, { pages, pagesRelated, pagesSources });
  const services = await testServices(
    {
      contentTypes: { [uid]: { type: page(draftAndPublish), validator } },
      components: {
        "shared.box": {
          component: defineComponent<Box>({
            uid: "shared.box",
            attributes: { picks: { type: "relation", relation: "oneToMany", target: uid } },
          }),
          validator: box,
        },
      },
    },
    { database },
  );
  const documents = anyDocuments(services)(uid);
  const create = async () => String((await documents.create({ data: {} }))["documentId"]);
  const read = (id: string, name: string, status: "draft" | "published" = "published") =>
    documents.findOne(id, { status, populate: { [name]: true } });
  return { documents, create, read, statements };
};

const leadsTo = (name: string, id: string) => {
  const entry = expect.objectContaining({ documentId: id });
  return expect.objectContaining({ [name]: /^(origin|parent|twin|twinOf)$/.test(name) ? entry : [entry] });
};

describe.each(bothDatabases)("on %s", (kind) => {
  test.each([
    ["with drafts", true],
    ["without drafts", false],
  ])("a document %s that is written to lead to itself is answered and read so from both sides", async (_, drafts) => {
    const { documents, create, read } = await open(kind, drafts);
    for (const [name, other] of relations) {
      const id = await create();
      const populate = { [name]: true };
      expect(await documents.update(id, { data: { [name]: { set: [id] } }, populate })).toEqual(leadsTo(name, id));
      for (const each of other ? [name, other] : [name]) {
        expect(await read(id, each)).toEqual(leadsTo(each, id));
        expect(await read(id, each, "draft")).toEqual(leadsTo(each, id));
      }
      await documents.update(id, { data: {} });
      expect(await read(id, name)).toEqual(leadsTo(name, id));
      const ended = await documents.update(id, { data: { [name]: { disconnect: [id] } }, populate });
      expect(ended).not.toEqual(leadsTo(name, id));
      expect(await read(id, other ?? name)).not.toEqual(leadsTo(other ?? name, id));
    }
  });

  test("publishing shows that a draft leads to itself, and discarding keeps what is published of it", async () => {
    const { documents, create, read } = await open(kind, true);
    for (const [name, other] of relations) {
      const id = await create();
      const shown = other ?? name;
      await documents.update(id, { data: { [name]: { connect: [id] } }, status: "draft" });
      expect(await read(id, shown)).not.toEqual(leadsTo(shown, id));
      expect(await documents.publish(id, { populate: { [name]: true } })).toEqual(leadsTo(name, id));
      expect(await read(id, shown)).toEqual(leadsTo(shown, id));
      await documents.update(id, { data: { [name]: { disconnect: [id] } }, status: "draft" });
      expect(await read(id, shown)).toEqual(leadsTo(shown, id));
      expect(await documents.discardDraft(id, { populate: { [name]: true } })).toEqual(leadsTo(name, id));
      expect(await read(id, shown, "draft")).toEqual(leadsTo(shown, id));
      await documents.unpublish(id);
      expect(await read(id, shown, "draft")).toEqual(leadsTo(shown, id));
      expect(await documents.delete(id)).toBe(true);
    }
  });

  test("what a new document names is looked up once, although the type may lead to itself", async () => {
    const { documents, create, statements } = await open(kind, true);
    const id = await create();
    statements.length = 0;
    await documents.create({ data: { origin: id } });
    expect(statements.filter((statement) => statement.startsWith("select 0,"))).toHaveLength(1);
  });

  test("a component of a published document leads to the document that it is in", async () => {
    const { documents, create } = await open(kind, true);
    const id = await create();
    await documents.update(id, { data: { box: { picks: [id] } } });
    const populate = { box: { populate: { picks: true } } };
    const picks = [expect.objectContaining({ documentId: id })];
    expect(await documents.findOne(id, { populate })).toMatchObject({ box: { picks } });
  });
});
