/** What listeners are told from: as soon as they are answered, and after a database was restored elsewhere. */
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { blocksOf } from "../../support/doc-blocks.ts";
import { served } from "../../support/served-app.ts";
import { SOON } from "../../support/soon.ts";
import { listenTo } from "./listening.ts";
import { eventsDatabase, serve, tag } from "./world.ts";

const database = await eventsDatabase();

test.each([
  ["the route", {}],
  ["the route, after an event that nobody knows", { after: "0123456789abcdefghijklmn" }],
  ["a subscription", { subscription: "subscription { contentEvents { id event documentId } }" }],
])("a listener by %s is told what is committed once it is answered, however slow the database", async (_way, asked) => {
  const app = await serve(database, { stream: {} });
  const { port } = await served(app, onTestFinished);
  const token = await app.token();
  const rows = database.rows.bind(database);
  const slowed = vi.spyOn(database, "rows").mockImplementation(async (sql, ...others) => {
    if (sql.startsWith("select pg_snapshot_xmin")) await wait(500);
    return rows(sql, ...others);
  });
  onTestFinished(() => slowed.mockRestore());
  const listener = await listenTo(port, { token, ...asked });
  expect(listener.answer.status).toBe(200);
  const { documentId } = await app.tags.create({ data: tag() });
  await vi.waitFor(() => expect(listener.told.map((each) => each.documentId)).toContain(documentId), SOON);
});

test("once the old numbers are out of a restored log, a listener reads everything again, and is told what is new", async () => {
  const app = await serve(database, { stream: {} });
  const { port } = await served(app, onTestFinished);
  const token = await app.token();
  // Numbers of a server that had more transactions.
  await database.rows(`insert into event_log (id, name, uid, document_id, created_at, entry, transaction)
    select 'evt_restored_' || number, 'entry.update', 'api::tag.tag', 'd', now() at time zone 'utc', '{}',
      pg_current_xact_id()::text::bigint + 1000000 + number from generate_series(1, 5) as number`);
  const commands = (await blocksOf("run/backup.md")).map(({ text }) => text).join("\n");
  const [, statement = ""] = /--command='(update event_log[^']*)'/.exec(commands) ?? [];
  await database.rows(statement);
  const listener = await listenTo(port, { token, after: "evt_restored_5" });
  const { documentId } = await app.tags.create({ data: tag() });
  await vi.waitFor(() => expect(listener.told.map((each) => each.documentId)).toContain(documentId), SOON);
  expect(listener.counts()).toMatchObject({ resets: 1 });
  expect(listener.told.map(({ id }) => id).filter((id) => id.startsWith("evt_restored"))).toEqual([]);
});
