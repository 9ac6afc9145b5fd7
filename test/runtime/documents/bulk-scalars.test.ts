/** Documents of scalars only are stored by lists of values: the same comes of it as when each is written alone. */
import { expect, onTestFinished, test } from "vitest";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import { createTables } from "../../support/create-tables.ts";
import { bothDatabases, freshDatabase } from "../../support/database.ts";
import { testServices } from "../../support/services.ts";
import { application, things, types, values } from "./things.ts";

/** Everything of a document but what differs whenever it is written. */
const contentOf = (found: readonly object[]): unknown =>
  JSON.parse(JSON.stringify(found), (key, value: unknown) =>
    ["documentId", "createdAt", "updatedAt", "publishedAt"].includes(key) ? undefined : value,
  );

test.each(bothDatabases)("every scalar is stored together as it is alone, on %s", async (kind) => {
  const database = await freshDatabase(kind, onTestFinished);
  await createTables(database, { things });
  const written = anyDocuments(await testServices(application, { database }))("api::thing.thing");
  const most = Math.max(...types.map((type) => values[type].length));
  const data = Array.from({ length: most + 2 }, (_each, turn) =>
    Object.fromEntries(
      // The last but one has no values, and the last one names none.
      types
        .filter(() => turn <= most)
        .map((type) => [type, (turn === most ? null : values[type][turn % values[type].length]) ?? null]),
    ),
  );
  // Each text is unique among those that are published together.
  for (const [turn, each] of data.entries()) if (turn < most) each["uid"] = `uid-${turn}`;
  const populate = { single: true, list: true, zone: true };
  for (const status of ["draft", "published"] as const) {
    const read = async () => {
      const published = await written.find({ populate, sort: "id", pagination: { pageSize: 100 } });
      const drafts = await written.find({ populate, status: "draft", sort: "id", pagination: { pageSize: 100 } });
      await written.deleteMany({ filters: {}, status: "draft" });
      return contentOf([...drafts, ...published].map(({ id: _id, ...each }) => each));
    };
    for (const each of data) await written.create({ data: each, status });
    const alone = await read();
    const documentIds = await written.createMany({ data, status });
    const found = await written.find({ status, sort: "id", pagination: { pageSize: 100 } });
    expect(found.map(({ documentId }) => documentId)).toEqual(documentIds);
    expect(await read()).toEqual(alone);
    expect(await written.createMany({ data: data.slice(0, 1), status })).toHaveLength(1);
    await expect(written.createMany({ data: [{}, { uid: "uid-0", integer: 1.5 }], status })).rejects.toThrow(
      "data[1].integer: integer must be an integer",
    );
    expect(await written.count({ status: "draft" })).toBe(1);
    await written.deleteMany({ filters: {}, status: "draft" });
  }
});

test.each(bothDatabases)("numbers are added to at once, in the draft and in what is published, on %s", async (kind) => {
  const database = await freshDatabase(kind, onTestFinished);
  await createTables(database, { things });
  const written = anyDocuments(await testServices(application, { database }))("api::thing.thing");
  const data = { integer: 1, biginteger: "9007199254740993", decimal: 0.1, text: "published" };
  const documentId = String((await written.create({ data }))["documentId"]);
  await written.update(documentId, { data: { text: "draft", integer: 100 }, status: "draft" });
  const amounts = { integer: 1, biginteger: 2, decimal: 0.2, float: 0.5 };
  const additions = Array.from({ length: 12 }, () => written.increment(documentId, amounts));
  const edits = Array.from({ length: 4 }, (_each, turn) =>
    written.update(documentId, { data: { string: `${turn}` }, status: "draft" }),
  );
  const sums = await Promise.all([...additions, ...edits]);
  expect(sums.map((each) => each?.["integer"]).slice(0, 12)).toEqual(
    expect.arrayContaining(Array.from({ length: 12 }, (_each, turn) => turn + 2)),
  );
  expect(await written.decrement(documentId, { integer: 3, decimal: 0.1 })).toEqual({ integer: 10, decimal: 2.4 });
  const sum = { biginteger: "9007199254741017", decimal: 2.4, float: 6 };
  expect(await written.findOne(documentId)).toMatchObject({ ...sum, integer: 10, text: "published", string: null });
  const draft = await written.findOne(documentId, { status: "draft" });
  expect(draft).toMatchObject({ ...sum, integer: 109, text: "draft", string: expect.any(String) });

  for (const [wrong, message] of [
    [{ integer: 2 ** 31 }, /integer must be/],
    [{ integer: 0.5 }, "The amount for integer must be a whole number"],
    [{ float: "1" }, "The amount for float must be a number"],
    [{ text: 1 }, "text is no attribute of api::thing.thing with numbers"],
    [{ documentId: 1 }, "documentId is no attribute of api::thing.thing with numbers"],
  ] as const) {
    await expect(written.increment(documentId, wrong)).rejects.toThrow(message);
  }
  expect(await written.increment("none".padEnd(24, "0"), { integer: 1 })).toBeNull();
  expect(await written.findOne(documentId)).toMatchObject({ integer: 10 });
});
