/** Listeners that write as soon as they are answered. */
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
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
