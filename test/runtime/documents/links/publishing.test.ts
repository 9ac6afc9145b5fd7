/** Publishing a list while another list takes documents out of it: all of them leave, or none. */
import { beforeAll, expect, test } from "vitest";
import { isRecord } from "../../../../runtime/base/is-record.ts";
import type { Database } from "../../../../runtime/database/database.ts";
import { freshDatabase } from "../../../support/database.ts";
import { idOf } from "../../../support/document-id.ts";
import { createLinkWorld, type LinkWorld } from "./world.ts";

let world: LinkWorld;

beforeAll(async () => {
  const database = await freshDatabase("postgres", undefined, 8);
  world = await createLinkWorld(database, { name: "", itemDrafts: true, groupDrafts: true, localized: false });
});

const create = async (service: LinkWorld["items"], data = {}): Promise<string> => idOf(await service.create({ data }));

const staff = async (group: string, status: "draft" | "published"): Promise<string[]> => {
  const read = await world.groups.findOne(group, { status, populate: ["staff"] });
  return isRecord(read) && Array.isArray(read["staff"]) ? read["staff"].map(idOf) : [];
};

const waiting = async (database: Database, count: number): Promise<void> => {
  const sql =
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(() => database.rows(sql)).toEqual([[count]]);
};

/** Does the others, one behind the other, while the first has its locks and waits for the draft of `item`. */
const meanwhile = async (item: string, ...works: readonly (() => Promise<unknown>)[]): Promise<void> => {
  const { database } = world;
  const sent = await database.transaction(async (session) => {
    await session.rows("select id from items where document_id = $1 for update", [item]);
    const done: Promise<unknown>[] = [];
    for (const work of works) {
      done.push(work());
      await waiting(database, done.length);
    }
    return { done: Promise.all(done) };
  });
  await sent.done;
};

/** A group whose list is published with one item of two, and another that takes both into its draft. */
const publishedByHalf = async () => {
  const items = [await create(world.items), await create(world.items)];
  const [alike = "", differing = ""] = items;
  const group = await create(world.groups, { staff: [alike] });
  await world.groups.update(group, { data: { staff: { connect: [differing] } }, status: "draft" });
  const other = await create(world.groups);
  const take = () => world.groups.update(other, { data: { staff: items }, status: "draft" });
  return { group, other, items, alike, take, publish: () => world.groups.publish(group) };
};

test("what another draft takes while the list is about to be published is gone from all of it", async () => {
  const { group, other, items, alike, take, publish } = await publishedByHalf();
  await meanwhile(alike, take, publish);
  expect(await staff(other, "draft")).toEqual(items);
  expect(await staff(group, "draft")).toEqual([]);
  expect(await staff(group, "published")).toEqual([]);
});

test("what comes to differ while somebody else writes it is waited for", async () => {
  const { group, alike, take, publish } = await publishedByHalf();
  await meanwhile(alike, take, publish, () => world.items.update(alike, { data: {}, status: "draft" }));
  expect(await staff(group, "published")).toEqual([]);
});

test("what comes into a list while it is waited for is no neighbour in it yet", async () => {
  const { database, groups, items } = world;
  const [first, late, placed] = [await create(items), await create(items), await create(items)];
  const group = await create(groups, { staff: [first] });
  const sent = await database.transaction(async (session) => {
    await session.rows("select from documents where document_id = $1 for update", [first]);
    const placing = groups.update(group, {
      data: { staff: { connect: [{ documentId: placed, position: { before: late } }] } },
    });
    await waiting(database, 1);
    await items.update(late, { data: { team: group } });
    return { refused: expect(placing).rejects.toMatchObject({ status: 400 }) };
  });
  await sent.refused;
  expect(await staff(group, "published")).toEqual([first, late]);
});
