/** Documents that are deleted while others come to lead to them. */
import { expect, onTestFinished, test } from "vitest";
import type { HttpError } from "../../../../runtime/base/errors.ts";
import { freshDatabase } from "../../../support/database.ts";
import { countingDeadlocks } from "../../../support/deadlocks.ts";
import { idOf } from "../../../support/document-id.ts";
import { createLinkWorld } from "./world.ts";

const ROUNDS = 30;
const WRITERS = 6;

test("a deletion and those who come to lead to the document meanwhile never wait in a circle", async () => {
  const database = await freshDatabase("postgres", onTestFinished, 12);
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
    const lead = (index: number, data: Record<string, unknown>, status: "draft" | "published" = "published") =>
      items.update(ids[index] ?? "", { data, status });
    const both = { team: group, mentor: group, groups: [group] };
    const connected = { groups: { connect: [group] } };
    // Some come before the deletion and some behind it; those of one document come twice.
    const before = [lead(1, { team: group }), lead(1, connected), lead(2, connected), lead(2, both, "draft")];
    const held = [lead(2, { team: group }), lead(0, both), lead(3, { badge: group, team: group }), lead(3, both)];
    const deletion = groups.delete(group, {});
    const late = [
      lead(4, both),
      lead(4, { badge: group }),
      lead(1, { team: group }),
      lead(5, both),
      lead(5, connected),
    ];
    const [deleted, ...written] = await Promise.allSettled([deletion, ...before, ...held, ...late]);
    expect(deleted).toEqual({ status: "fulfilled", value: true });
    // Whoever came too late is told that there is no such document.
    for (const result of written) {
      if (result.status === "rejected") expect((result.reason as HttpError).status).toBe(400);
    }
    expect(await database.rows("select count(*)::int from items_groups where document_id = $1", [group])).toEqual([
      [0],
    ]);
  }
  expect(counted.deadlocks).toBe(0);
});
