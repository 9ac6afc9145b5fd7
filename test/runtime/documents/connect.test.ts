/** How a body changes a list: in which order, beside which neighbours, and what is refused. */
import { type AnyPgColumn, integer, pgTable, text, varchar } from "drizzle-orm/pg-core";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { isRecord } from "../../../runtime/base/is-record.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { anyDocuments, type AnyDocuments } from "../../../runtime/documents/create-documents.ts";
import {
  linkColumns,
  linkIndexes,
  morphType,
  morphVersion,
  versionColumns,
  versionIndexes,
} from "../../../runtime/schema/columns.ts";
import { defineContentType, type DocumentFields } from "../../../runtime/schema/content-type.ts";
import { toMany, toManyOfAny } from "../../../runtime/schema/validators.ts";
import { createTables } from "../../support/create-tables.ts";
import { freshDatabase } from "../../support/database.ts";
import { idOf } from "../../support/document-id.ts";
import { testServices } from "../../support/services.ts";

interface Named extends DocumentFields {
  name: string | null;
}

interface Board extends DocumentFields {
  pins?: Named[];
  things?: DocumentFields[];
}

const columns = () => ({ ...versionColumns(), name: varchar("name", { length: 255 }) });
/** Types may name their attributes as those of files are named. */
const pins = pgTable("pins", { ...columns(), mime: integer("mime") }, (version) => versionIndexes(version));
const tacks = pgTable("tacks", { ...columns(), mime: text("mime") }, (version) => versionIndexes(version));
const boards = pgTable("boards", versionColumns(), (version) => versionIndexes(version));
const boardsPins = pgTable(
  "boards_pins",
  linkColumns((): AnyPgColumn => boards.id),
  linkIndexes,
);
const boardsThings = pgTable(
  "boards_things",
  {
    ...linkColumns((): AnyPgColumn => boards.id),
    documentType: morphType("document_type").notNull(),
    documentVersion: morphVersion("document_version"),
  },
  linkIndexes,
);

const common = { kind: "collectionType", draftAndPublish: false, localized: false } as const;
const namedType = (singularName: string, table: typeof pins | typeof tacks) =>
  defineContentType<Named>({
    ...common,
    uid: `api::${singularName}.${singularName}`,
    singularName,
    pluralName: `${singularName}s`,
    table,
    attributes: { name: { type: "string", column: table.name } },
  });
const board = defineContentType<Board>({
  ...common,
  draftAndPublish: true,
  uid: "api::board.board",
  singularName: "board",
  pluralName: "boards",
  table: boards,
  attributes: {
    pins: { type: "relation", relation: "oneToMany", target: "api::pin.pin", link: boardsPins },
    things: { type: "relation", relation: "morphToMany", link: boardsThings },
  },
});
const namedSchema = z.object({ name: z.string().nullish() });
const contentTypes = {
  "api::pin.pin": { type: namedType("pin", pins), validator: namedSchema },
  "api::tack.tack": { type: namedType("tack", tacks), validator: namedSchema },
  "api::board.board": {
    type: board,
    validator: z.object({ pins: toMany().optional(), things: toManyOfAny().optional() }),
  },
};

let database: Database;
let documents: AnyDocuments;
let ids: Readonly<Record<"a" | "b" | "c", string>>;
let tack: string;

beforeAll(async () => {
  database = await freshDatabase("postgres");
  await createTables(database, { pins, tacks, boards, boardsPins, boardsThings });
  documents = anyDocuments(
    await testServices({ contentTypes, components: {}, extensions: {} }, { database, config: {} }),
  );
  const create = async (name: string): Promise<string> =>
    idOf(await documents("api::pin.pin").create({ data: { name } }));
  ids = { a: await create("a"), b: await create("b"), c: await create("c") };
  tack = idOf(await documents("api::tack.tack").create({ data: { name: "tack" } }));
});

let id: string;
beforeEach(async () => {
  id = idOf(await documents("api::board.board").create({ data: { pins: [ids.a, ids.b] } }));
});

const change = async (data: object): Promise<readonly string[]> => {
  const read = await documents("api::board.board").update(id, {
    data: { ...data },
    populate: { pins: true, things: { on: { "api::pin.pin": true, "api::tack.tack": true } } },
  });
  const list = "things" in data ? read?.["things"] : read?.["pins"];
  return Array.isArray(list) ? list.map((each: unknown) => (isRecord(each) ? String(each["name"]) : "")) : [];
};

test("what is placed beside entries that are there is placed in the order of the body", async () => {
  const { a, b, c } = ids;
  expect(
    await change({
      pins: {
        connect: [
          { documentId: a, position: { before: b } },
          { documentId: b, position: { start: true } },
          { documentId: c, position: { end: true } },
        ],
      },
    }),
  ).toEqual(["b", "a", "c"]);
});

test("what is placed beside an entry that the same body brings comes after it", async () => {
  const { a, c } = ids;
  await change({ pins: [ids.b] });
  expect(
    await change({
      pins: {
        connect: [
          { documentId: a, position: { after: c } },
          { documentId: c, position: { start: true } },
        ],
      },
    }),
  ).toEqual(["c", "a", "b"]);
});

test("lists that lead to several types have places too", async () => {
  const { a, b } = ids;
  const pin = { __type: "api::pin.pin" };
  await change({
    things: [
      { ...pin, documentId: a },
      { ...pin, documentId: b },
    ],
  });
  expect(
    await change({
      things: {
        connect: [
          { __type: "api::tack.tack", documentId: tack, position: { before: b, ...pin } },
          { ...pin, documentId: ids.c, position: { after: a } },
        ],
      },
    }),
  ).toEqual(["a", "c", "tack", "b"]);
});

test("the same target three times is refused, twice is once", async () => {
  const { c } = ids;
  expect(await change({ pins: { connect: [c, c] } })).toEqual(["a", "b", "c"]);
  await expect(change({ pins: { connect: [c, c, c] } })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("is already connected"),
  });
});

test("unknown keys beside connect are refused", async () => {
  const known = { connect: [{ __type: "api::tack.tack", documentId: tack }] };
  await expect(change({ things: { ...known, foo: 1 } })).rejects.toMatchObject({
    status: 400,
    message: "Invalid key foo at things",
  });
  await expect(change({ pins: { connect: [ids.c], foo: 1 } })).rejects.toMatchObject({
    status: 400,
    message: "Invalid key foo at pins",
  });
});

test("an empty list removes everything, and an empty object nothing", async () => {
  expect(await change({ pins: {} })).toEqual(["a", "b"]);
  expect(await change({ pins: { connect: [] } })).toEqual(["a", "b"]);
  expect(await change({ pins: [] })).toEqual([]);
});

test("links to one version of a document stay so in the draft, and are published so", async () => {
  const things = [
    { __type: "api::tack.tack", documentId: tack },
    { __type: "api::pin.pin", documentId: ids.a },
  ];
  await change({ things });
  await database.rows("update boards_things set document_version = 'published' where document_id = $1", [tack]);
  const versions = () =>
    database.rows(
      "select published_at is not null, document_version from boards_things l join boards b on b.id = l.version_id where b.document_id = $1 and l.document_id = $2 order by 1",
      [id, tack],
    );
  const both = [
    [false, "published"],
    [true, "published"],
  ];
  expect(await versions()).toEqual(both);

  // In the draft alone, the link becomes one to a version: publishing it takes that along.
  await database.rows(
    "update boards_things set document_version = null where version_id = (select id from boards where document_id = $1 and published_at is not null)",
    [id],
  );
  expect(await change({ things: things.toReversed() })).toEqual(["a", "tack"]);
  expect(await versions()).toEqual(both);
});
