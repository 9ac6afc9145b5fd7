/** What is published and unpublished at a time, asked over REST and GraphQL, and by code. */
import { expect, onTestFinished, test, vi } from "vitest";
import example from "../../../generated/index.ts";
import { describeTables } from "../../../generator/migrate/tables/describe-tables.ts";
import type { Application } from "../../../runtime/app/application.ts";
import { builder, run } from "../../../runtime/database/statement.ts";
import { documentSchedules } from "../../../runtime/history/schedule/tables.ts";
import { startSchedules } from "../../../runtime/history/schedule/worker.ts";
import {
  can,
  discardDraft,
  findOne,
  publish,
  remove,
  router,
  schedule,
  unpublish,
  update,
} from "../../../runtime/http/rest/index.ts";
import type { Answer } from "../../support/auth-app.ts";
import { creationSql } from "../../support/creation-sql.ts";
import { exampleApp, exampleDatabase, type ExampleApp } from "../../support/example-app.ts";
import { SOON } from "../../support/soon.ts";

const uid = "api::article.article";
const declared = example.contentTypes[uid];
if (!declared) throw new Error("the example has no articles");
const type = { ...declared.type, schedules: documentSchedules };

const routes = router()
  .get("/articles/:documentId", can(`${uid}.findOne`), findOne(type))
  .put("/articles/:documentId", can(`${uid}.update`), update(type))
  .delete("/articles/:documentId", can(`${uid}.delete`), remove(type))
  .post("/articles/:documentId/actions/publish", can(`${uid}.publish`), publish(type))
  .post("/articles/:documentId/actions/unpublish", can(`${uid}.unpublish`), unpublish(type))
  .post("/articles/:documentId/actions/discard-draft", can(`${uid}.discardDraft`), discardDraft(type))
  .post("/articles/:documentId/actions/schedule", can(`${uid}.schedule`), schedule(type));

/** The example, whose articles can be scheduled. */
const application: Application = {
  ...example,
  contentTypes: { ...example.contentTypes, [uid]: { ...declared, type, routes } },
};

const world = async () => {
  const database = await exampleDatabase(onTestFinished);
  await database.script(creationSql(describeTables([documentSchedules])));
  const app = await exampleApp(onTestFinished, database, { rest: { drafts: "readDraft" } }, application);
  const token = await app.token();
  const { documentId } = await app.services.documents(uid).create({ status: "draft", data: { title: "A", slug: "a" } });
  const path = `/api/articles/${documentId}`;
  const set = (data: object, by = token): Promise<Answer> =>
    app.send("POST", `${path}/actions/schedule`, { token: by, body: { data } });
  const draft = async (by = token) => (await app.send("GET", `${path}?status=draft`, { token: by })).body;
  const isPublic = async (): Promise<boolean> => (await app.send("GET", path, { token })).status === 200;
  const carryOut = () => {
    const { stop } = startSchedules(app.services);
    onTestFinished(stop);
  };
  return { app, database, token, documentId, path, set, draft, isPublic, carryOut };
};

/** An instant by the clock of the test, which the database shares. */
const after = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

const HOUR = 3_600_000;

const messageOf = ({ body }: Answer): unknown => Object(Object(body).error).message;

/** The milliseconds between two instants. */
const late = (instant: unknown, due: string): number => Date.parse(String(instant)) - Date.parse(due);

/** As if time had passed. */
const makeDue = (database: ExampleApp["database"], action: string): Promise<unknown> =>
  database.rows("update document_schedules set at = (now() at time zone 'utc') - interval '1 hour' where action = $1", [
    action,
  ]);

const states = async (database: ExampleApp["database"]): Promise<unknown> =>
  run(
    database,
    builder
      .select({ action: documentSchedules.action, state: documentSchedules.state, reason: documentSchedules.reason })
      .from(documentSchedules)
      .orderBy(documentSchedules.id),
  );

test("a draft is published and unpublished on time, and whoever may read drafts sees when", async () => {
  const { app, database, token, set, draft, isPublic, carryOut, documentId, path } = await world();
  carryOut();
  const [publishAt, unpublishAt] = [after(1200), after(2400)];
  const answer = await set({ publishAt, unpublishAt });
  const waiting = { documentId, locale: "en", publishAt, unpublishAt, last: null };
  expect(answer).toMatchObject({ status: 200, body: { data: waiting } });
  expect(await draft()).toMatchObject({ data: { title: "A" }, meta: { schedule: waiting } });
  await vi.waitUntil(isPublic, { ...SOON, interval: 10 });
  const { publishedAt } = Object(Object((await app.send("GET", path, { token })).body).data);
  expect(late(publishedAt, publishAt)).toBeGreaterThanOrEqual(0);
  expect(late(publishedAt, publishAt)).toBeLessThan(1000);
  expect(await draft()).toMatchObject({
    meta: { schedule: { publishAt: null, unpublishAt, last: { action: "publish", state: "done", at: publishAt } } },
  });
  const reader = await app.token(`${uid}.findOne`);
  expect((await app.send("GET", path, { token: reader })).body).toMatchObject({ meta: {} });
  expect((await app.send("GET", path, { token: reader })).text).not.toContain("schedule");
  await vi.waitUntil(async () => !(await isPublic()), { ...SOON, interval: 10 });
  const [ended] = await database.rows(
    `select to_char(ended_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from document_schedules where action = 'unpublish'`,
  );
  expect(late(ended?.[0], unpublishAt)).toBeLessThan(1000);
});

test("what was due while no server ran is done late, and once by two processes at once", async () => {
  const { app, database, set, isPublic, carryOut } = await world();
  const published = vi.fn();
  await set({ publishAt: after(HOUR) });
  await makeDue(database, "publish");
  expect(await isPublic()).toBe(false);
  const { log } = app.services;
  vi.spyOn(log, "info").mockImplementation(published);
  for (let process = 0; process < 5; process += 1) carryOut();
  await vi.waitUntil(isPublic, SOON);
  expect(await states(database)).toEqual([["publish", "done", null]]);
  expect(published).toHaveBeenCalledTimes(1);
});

test.each([
  ["publish", "POST", "/actions/publish", "It was published before"],
  ["a PUT that publishes", "PUT", "", "It was published before"],
  ["delete", "DELETE", "", "It was deleted before"],
])("%s in between cancels it, and says so", async (_name, method, action, reason) => {
  const { app, database, token, path, set, draft, carryOut } = await world();
  const publishAt = after(HOUR);
  await set({ publishAt });
  const body = method === "PUT" ? { data: { title: "B" } } : {};
  const answer = await app.send(method, `${path}${action}`, { token, body });
  const last = { action: "publish", state: "cancelled", reason, at: publishAt };
  if (method !== "DELETE") {
    expect(answer).toMatchObject({ status: 200, body: { meta: { schedule: { publishAt: null, last } } } });
    expect(await draft()).toMatchObject({ meta: { schedule: { publishAt: null, last } } });
  }
  const before = method === "DELETE" ? undefined : await app.send("GET", path, { token });
  await makeDue(database, "publish");
  carryOut();
  await vi.waitUntil(async () => JSON.stringify(await states(database)).includes("cancelled"), SOON);
  expect(await states(database)).toEqual([["publish", "cancelled", reason]]);
  const now = await app.send("GET", path, { token });
  if (before) expect(now.text).toBe(before.text);
  else expect(now.status).toBe(404);
});

test("it is done as the one who scheduled it, who has to be allowed then, too", async () => {
  const { app, database, set, isPublic, carryOut, draft } = await world();
  const may = ["schedule", "publish", "unpublish"].map((action) => `${uid}.${action}`);
  const editor = await app.token(...may);
  expect((await set({ publishAt: after(HOUR) }, await app.token(`${uid}.publish`))).status).toBe(403);
  expect((await set({ publishAt: after(HOUR) }, await app.token(`${uid}.schedule`))).status).toBe(403);
  expect((await set({ publishAt: after(HOUR) }, editor)).status).toBe(200);
  await database.rows("delete from api_tokens where permissions::text like '%unpublish%'");
  await makeDue(database, "publish");
  carryOut();
  const failed = { state: "failed", reason: "Whoever scheduled it may no longer do this" };
  await vi.waitUntil(async () => JSON.stringify(await draft()).includes("failed"), SOON);
  expect(await draft()).toMatchObject({ meta: { schedule: { publishAt: null, last: failed } } });
  expect(await isPublic()).toBe(false);
});

test("what cannot be published when the time comes is told, and not tried again", async () => {
  const { app, database, set, carryOut, draft, documentId } = await world();
  await app.services.documents(uid).update(documentId, { status: "draft", data: { title: null } });
  await set({ publishAt: after(HOUR) });
  await makeDue(database, "publish");
  carryOut();
  await vi.waitUntil(async () => JSON.stringify(await draft()).includes("failed"), SOON);
  expect(await draft()).toMatchObject({
    meta: { schedule: { last: { state: "failed", reason: expect.stringContaining("title") } } },
  });
});

test("bad instants, unknown keys and unknown documents are refused by name, and null withdraws", async () => {
  const { app, token, set, path } = await world();
  expect(messageOf(await set({ publishAt: "tomorrow" }))).toBe(
    "publishAt: Invalid format, expected a timestamp or an ISO date",
  );
  const past = after(-HOUR);
  expect(messageOf(await set({ publishAt: past }))).toBe(`publishAt: ${past} has passed`);
  expect(messageOf(await set({ publishedAt: past }))).toBe("Invalid key publishedAt");
  expect(messageOf(await set({ unpublishAt: after(HOUR) }))).toBe("unpublishAt: the document is not published");
  const publishAt = after(2 * HOUR);
  expect(messageOf(await set({ publishAt, unpublishAt: after(HOUR) }))).toBe(
    `unpublishAt: it has to be after publishAt, ${publishAt}`,
  );
  expect(
    (await app.send("POST", "/api/articles/nothing/actions/schedule", { token, body: { data: { publishAt } } })).status,
  ).toBe(404);
  expect(
    (await app.send("POST", `${path}/actions/schedule?locale=xx`, { token, body: { data: { publishAt } } })).status,
  ).toBe(400);
  await set({ publishAt });
  const last = { action: "publish", state: "cancelled", reason: "It was withdrawn" };
  expect((await set({ publishAt: null })).body).toMatchObject({ data: { publishAt: null, last } });
});

test("code of the project schedules, too, and a user who is blocked meanwhile is not obeyed", async () => {
  const { app, database, isPublic, carryOut, documentId } = await world();
  const { documents } = app.services;
  expect(await documents(uid).schedule(documentId, { publishAt: after(HOUR) })).toMatchObject({
    documentId,
    locale: "en",
  });
  await expect(documents("api::homepage.homepage").schedule("x", { publishAt: null })).rejects.toThrow(
    'has no "schedule"',
  );
  await makeDue(database, "publish");
  carryOut();
  await vi.waitUntil(isPublic, SOON);
});
