/** A value is answered alike wherever it stands: in a document, a component, a repeatable component or a zone. */
import { expect, onTestFinished, test } from "vitest";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import { createTables } from "../../support/create-tables.ts";
import { bothDatabases, freshDatabase } from "../../support/database.ts";
import { testServices } from "../../support/services.ts";
import { application, things, types, values } from "./things.ts";

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** What stands at a path of a document. */
const at = (document: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), document);

test.each(bothDatabases)("every scalar is answered alike in all places, and in a copy, on %s", async (kind) => {
  const database = await freshDatabase(kind, onTestFinished);
  await createTables(database, { things });
  const documents = anyDocuments(await testServices(application, { database }))("api::thing.thing");
  for (const type of types) {
    for (const value of [null, ...values[type]]) {
      const entry = { [type]: value };
      const created = await documents.create({
        data: { ...entry, single: entry, list: [{}, entry], zone: [{ __component: "shared.box", ...entry }] },
        populate: "*",
      });
      const read = await documents.findOne(String(at(created, "documentId")), { populate: "*" });
      const copy = await documents.clone(String(at(created, "documentId")));
      const copied = await documents.findOne(copy?.documentId ?? "", { populate: "*", status: "draft" });
      expect(at(copied, type)).toEqual(at(read, type));
      for (const document of [created, read, copied]) {
        const expected = at(document, type);
        const found = {
          single: at(document, "single", type),
          list: at(document, "list", 1, type),
          zone: at(document, "zone", 0, type),
        };
        expect(found, `${type} ${JSON.stringify(value)}`).toEqual({ single: expected, list: expected, zone: expected });
        expect(at(document, "list", 0, type), type).toBeNull();
        expect(expected === null, `${type} ${JSON.stringify(value)}`).toBe(value === null);
      }
      // A uid is unique.
      for (const document of [created, copied]) await documents.delete(String(at(document, "documentId")));
    }
  }
});

test("times are answered as the wire contract has them", async () => {
  const database = await freshDatabase("postgres", onTestFinished);
  await createTables(database, { things });
  const documents = anyDocuments(await testServices(application, { database }))("api::thing.thing");
  const single = {
    timestamp: "2026-01-02T03:04:05.678Z",
    datetime: "2026-01-02T03:04:05Z",
    date: "2026-01-02T03:04:05Z",
    time: "03:04:05.60",
    biginteger: 5,
    decimal: 12.345678,
  };
  expect(await documents.create({ data: { single }, populate: ["single"] })).toMatchObject({
    single: {
      timestamp: "1767323045678",
      datetime: "2026-01-02T03:04:05.000Z",
      date: "2026-01-02",
      time: "03:04:05.6",
      biginteger: "5",
      decimal: 12.35,
    },
  });
});

test("text that the database could not store or read again is refused with its place, in keys too", async () => {
  const database = await freshDatabase("postgres", onTestFinished);
  await createTables(database, { things });
  const documents = anyDocuments(await testServices(application, { database }))("api::thing.thing");
  const refused = (data: Readonly<Record<string, unknown>>, ...messages: readonly string[]) =>
    expect(documents.create({ data, status: "draft" })).rejects.toMatchObject({
      details: { errors: messages.map((message) => ({ message })) },
    });
  const text = [{ type: "paragraph", children: [{ type: "text", text: "a\0" }] }];
  await refused({ json: { deep: ["a\0"] } }, "json.deep[0] must not contain the character U+0000");
  await refused({ single: { json: { "a\0": 1 } } }, "single.json has a key that must not contain the character U+0000");
  await refused(
    { list: [{ blocks: text }] },
    "list[0].blocks[0].children[0].text must not contain the character U+0000",
  );
  await refused(
    { string: "\ud800", json: { "\udc00": 1 }, integer: "x" },
    "string must not contain half of a surrogate pair",
    "json has a key that must not contain half of a surrogate pair",
    'integer must be a `number` type, but the final value was: `NaN` (cast from the value `"x"`).',
  );
});
