/** Many writers of both sides of a relation at once, more than orders can be tried for. */
import { expect, onTestFinished, test } from "vitest";
import { isRecord } from "../../../../runtime/base/is-record.ts";
import { freshDatabase } from "../../../support/database.ts";
import { idOf } from "../../../support/document-id.ts";
import { createLinkWorld, type LinkWorld } from "./world.ts";

const open = async (): Promise<LinkWorld> => {
  const database = await freshDatabase("postgres", onTestFinished, 8);
  return createLinkWorld(database, { name: "", itemDrafts: true, groupDrafts: true, localized: false });
};

const create = (service: LinkWorld["items"], count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, async () => idOf(await service.create({ data: {} }))));

const listed = (read: unknown, name: string): string[] => {
  const list = isRecord(read) ? read[name] : undefined;
  return Array.isArray(list) ? list.map(idOf) : [];
};

test("documents that connect themselves and others that are connected from the other side are all there", async () => {
  const { items, groups } = await open();
  for (let round = 0; round < 5; round += 1) {
    const ids = await create(items, 16);
    const [group = ""] = await create(groups, 1);
    await Promise.all([
      ...ids.slice(0, 10).map((id) => items.update(id, { data: { groups: { connect: [group] }, team: group } })),
      ...ids
        .slice(10)
        .map((id) => groups.update(group, { data: { members: { connect: [id] }, staff: { connect: [id] } } })),
    ]);
    for (const status of ["draft", "published"] as const) {
      const read = await groups.findOne(group, { status, populate: ["members", "staff"] });
      expect(listed(read, "members").toSorted(), status).toEqual(ids.toSorted());
      expect(listed(read, "staff").toSorted(), status).toEqual(ids.toSorted());
    }
  }
});

test("drafts and what is published have a list in one order, however many came to it at once", async () => {
  const { items, groups } = await open();
  const ids = await create(items, 24);
  const [group = ""] = await create(groups, 1);
  // A published version that is made again has another id than its draft's order would give it.
  await Promise.all(ids.filter((_, index) => index % 3 === 0).map((id) => items.unpublish(id)));
  await Promise.all(ids.map((id) => items.update(id, { data: { groups: [group], team: group } })));
  const [draft, published] = await Promise.all(
    (["draft", "published"] as const).map((status) =>
      groups.findOne(group, { status, populate: ["members", "staff"] }),
    ),
  );
  for (const name of ["members", "staff"]) {
    expect(listed(draft, name)).toHaveLength(ids.length);
    expect(listed(published, name)).toEqual(listed(draft, name));
  }
});

test("relations in components take every connect, and lead to nothing that is deleted meanwhile", async () => {
  const { items, groups } = await open();
  const ids = await create(groups, 20);
  const item = idOf(await items.create({ data: { box: {} } }));
  const read = await items.findOne(item, { status: "draft", populate: ["box"] });
  const id = isRecord(read) && isRecord(read["box"]) ? read["box"]["id"] : undefined;
  const outcomes = await Promise.allSettled([
    ...ids.map((group) => items.update(item, { data: { box: { id, picks: { connect: [group] } } } })),
    ...ids.slice(0, 5).map((group) => groups.delete(group)),
  ]);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ status: 400 });
  }
  for (const status of ["draft", "published"] as const) {
    const { box } = Object(await items.findOne(item, { status, populate: { box: { populate: ["picks"] } } }));
    expect(listed(box, "picks").toSorted()).toEqual(ids.slice(5).toSorted());
  }
});

test("a write is not refused because something that it does not name was deleted meanwhile", async () => {
  const { items, groups } = await open();
  for (let round = 0; round < 10; round += 1) {
    const [item = ""] = await create(items, 1);
    const ids = await create(groups, 4);
    await items.update(item, { data: { groups: ids.slice(1), team: ids[1], badge: ids[2] } });
    await items.unpublish(item);
    const outcomes = await Promise.allSettled([
      items.update(item, { data: { groups: { connect: [ids[0] ?? ""] } } }),
      ...ids.slice(1).map((group) => groups.delete(group)),
      items.publish(item),
    ]);
    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
  }
});
