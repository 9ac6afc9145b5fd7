/** Claims of due deliveries, where statistics are old or the database is slow. */
import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import type { Database } from "../../../runtime/database/database.ts";
import { queueOf } from "../../../runtime/events/queue.ts";
import { eventsDatabase } from "./world.ts";

const database = await eventsDatabase();

beforeEach(() =>
  database.script(`truncate event_log, event_deliveries;
    alter table event_deliveries set (autovacuum_enabled = off); alter table event_log set (autovacuum_enabled = off)`),
);

/** Queues events of as many documents as the last number says. */
const fill = (consumer: string, events: number, documents: number): Promise<unknown> =>
  database.rows(
    `with logged as (
      insert into event_log (id, name, uid, document_id, created_at, entry)
      select $1 || $2 || '.' || n, 'entry.update', 'api::tag.tag', 'document' || n % $3::int, now() at time zone 'utc', '{}'
      from generate_series(1, $2::int) as n returning position, document_id, created_at)
    insert into event_deliveries (consumer, position, document_id, state, attempts, due_at)
    select $1, position, document_id, 'pending', 0, created_at from logged`,
    [consumer, events, documents],
  );

interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The rows that a plan has looked at, at each node. */
const rowsOf = ({ Plans = [], ...node }: PlanNode): number =>
  (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0)) *
    node["Actual Loops"] +
  Plans.reduce((sum, each) => sum + rowsOf(each), 0);

/** The rows that the first statement of a claim reads. */
const readBy = async (consumer: string): Promise<number> => {
  const explained = vi.fn<Database["rows"]>((text, parameters) =>
    database.rows(`explain (analyze, format json) ${text}`, parameters),
  );
  await queueOf({ ...database, rows: explained }, consumer, 25)
    .claim(10)
    .catch(() => {});
  const [row] = (await explained.mock.results[0]?.value) ?? [];
  const [{ Plan }] = JSON.parse(String(row?.[0]));
  return rowsOf(Plan);
};

test.each([
  ["of which another consumer had all", () => fill("another", 60, 1)],
  ["of which there was one", () => fill("site", 1, 1)],
  ["of which there were none", async () => {}],
])("a claim reads few deliveries while the statistics are those of a queue %s", async (_what, before) => {
  await before();
  await database.script("analyze event_deliveries; analyze event_log");
  await fill("site", 5000, 1000);
  expect(await readBy("site")).toBeLessThan(1000);
});

test("the lease of a claim begins when the database has carried it out", async () => {
  await fill("site", 1, 1);
  const queue = queueOf(database, "site", 1);
  let first: Promise<unknown> | undefined;
  await database.transaction(async (session) => {
    await session.rows("lock table event_deliveries in exclusive mode", []);
    first = queue.claim(1);
    await wait(1500);
  });
  expect(await first).toHaveLength(1);
  expect(await queue.claim(1)).toEqual([]);
});
