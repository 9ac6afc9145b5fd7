/** Documents that are deleted while others come to lead to them. */
import { expect, test } from "vitest";
import type { HttpError } from "../../../../runtime/base/errors.ts";
import { openPostgres } from "../../../../runtime/database/postgres.ts";
import { freshPostgresUrl } from "../../../support/database.ts";
import { idOf } from "../../../support/document-id.ts";
import { countingDeadlocks } from "./deadlocks.ts";
import { createLinkWorld } from "./world.ts";

const ROUNDS = 15;
const WRITERS = 6;

test("a deletion and those who come to lead to the document meanwhile never wait in a circle", async () => {
  const database = await openPostgres(await freshPostgresUrl(), 12);
  const counted = countingDeadlocks(database);
  const { items, groups } = await createLinkWorld(counted.database, {
    name: "with drafts",
    itemDrafts: true,
    groupDrafts: true,
    localized: false,
  });
  const ids: string[] = [];
  while (ids.length < WRITERS) ids.push(idOf(await items.create({ data: {} })));
  for (let round = 0; round < ROUNDS; round += 1) {
    const group = idOf(await groups.create({ data: {} }));
    const [first = ""] = ids;
    await items.update(first, { data: { team: group, mentor: group, groups: [group] } });
    const bodies = [
      { team: group, mentor: group },
      { groups: { connect: [group] } },
      { badge: group, groups: [group] },
    ];
    const writes = ids.flatMap((id, index) =>
      bodies.map((data) => items.update(id, { data, status: index % 3 === 2 ? "draft" : "published" })),
    );
    const [deleted, ...written] = await Promise.allSettled([groups.delete(group, {}), ...writes]);
    expect(deleted).toEqual({ status: "fulfilled", value: true });
    // Whoever came too late is told that there is no such document.
    for (const result of written) {
      if (result.status === "rejected") expect((result.reason as HttpError).status).toBe(400);
    }
    expect(await database.rows("select count(*)::int from items_groups where document_id = $1", [group])).toEqual([
      [0],
    ]);
  }
  await database.close();
  expect(counted.deadlocks).toBe(0);
});
