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
    const read = async (isInOrder: boolean) => {
      const published = await written.find({ populate, sort: "id", pagination: { pageSize: 100 } });
      const drafts = await written.find({ populate, status: "draft", sort: "id", pagination: { pageSize: 100 } });
      const ids = [...drafts, ...published].map(({ id }) => Number(id));
      if (isInOrder) expect(ids).toEqual(ids.toSorted((one, other) => one - other));
      await written.deleteMany({ filters: {}, status: "draft" });
      return contentOf([...drafts, ...published].map(({ id: _id, ...each }) => each));
    };
    for (const each of data) await written.create({ data: each, status });
    const alone = await read(false);
    const documentIds = await written.createMany({ data, status });
    const found = await written.find({ status, sort: "id", pagination: { pageSize: 100 } });
    expect(found.map(({ documentId }) => documentId)).toEqual(documentIds);
    expect(await read(true)).toEqual(alone);
    expect(await written.createMany({ data: data.slice(0, 1), status })).toHaveLength(1);
    await expect(written.createMany({ data: [{}, { uid: "uid-0", integer: 1.5 }], status })).rejects.toThrow(
      "data[1].integer: integer must be an integer",
    );
    expect(await written.count({ status: "draft" })).toBe(1);
    await written.deleteMany({ filters: {}, status: "draft" });
  }
});
