/** Schedules whose documents, types, callers or clocks change before their time comes. */
import { expect, onTestFinished, test, vi } from "vitest";
import example from "../../../generated/index.ts";
import { can as allowed } from "../../../runtime/access/row-rules.ts";
import { startSchedules } from "../../../runtime/schedules/worker.ts";
import { bothDatabases } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { SOON } from "../../support/soon.ts";
import { after, application, HOUR, makeDue, messageOf, states, uid, world } from "./world.ts";

const author = "api::author.author";

/** The authors of the example, with schedules. */
const scheduledAuthor = () => {
  const declared = example.contentTypes[author];
  if (!declared) throw new Error("the example has no authors");
  return { ...declared, type: { ...declared.type, schedule: true } };
};

test.each(bothDatabases)("what is scheduled is done on %s, with the draft as it is then", async (kind) => {
  const { app, database, token, path, set, isPublic, carryOut } = await world({ kind });
  carryOut();
  expect((await set({ publishAt: after(HOUR), unpublishAt: after(2 * HOUR) })).status).toBe(200);
  expect((await app.send("PUT", `${path}?status=draft`, { token, body: { data: { title: "B" } } })).status).toBe(200);
  await makeDue(database, "publish");
  await vi.waitUntil(isPublic, SOON);
  expect((await app.send("GET", path, { token })).body).toMatchObject({ data: { title: "B" } });
  await makeDue(database, "unpublish");
  await vi.waitUntil(async () => !(await isPublic()), SOON);
  expect(await states(database)).toEqual([
    ["publish", "done", null],
    ["unpublish", "done", null],
  ]);
});

test("discarding the draft in between changes what is published, not when", async () => {
  const { app, database, token, path, set, draft, isPublic, carryOut } = await world();
  await app.send("POST", `${path}/actions/publish`, { token });
  await app.send("PUT", `${path}?status=draft`, { token, body: { data: { title: "B" } } });
  await set({ unpublishAt: after(HOUR) });
  await app.send("POST", `${path}/actions/discard-draft`, { token });
  expect(await draft()).toMatchObject({ data: { title: "A" }, meta: { schedule: { last: null } } });
  await makeDue(database, "unpublish");
  carryOut();
  await vi.waitUntil(async () => !(await isPublic()), SOON);
});

const register = { username: "editor", email: "editor@example.test", password: "Passw0rd!" };

test.each([
  ["a user who is blocked", "update up_users set blocked = true"],
  ["a user who is deleted", "delete from up_users"],
])("%s meanwhile is not obeyed, and the draft says so", async (_name, change) => {
  const { app, database, set, draft, isPublic, carryOut } = await world();
  await app.allowUsers(`${uid}.schedule`, `${uid}.publish`);
  const { body } = await app.send("POST", "/api/auth/local/register", { body: register });
  expect((await set({ publishAt: after(HOUR) }, String(Object(body).jwt))).status).toBe(200);
  await database.rows(change);
  await makeDue(database, "publish");
  carryOut();
  const last = { state: "failed", reason: "Whoever scheduled it may no longer do this" };
  await vi.waitUntil(async () => JSON.stringify(await draft()).includes("failed"), SOON);
  expect(await draft()).toMatchObject({ meta: { schedule: { publishAt: null, last } } });
  expect(await isPublic()).toBe(false);
});

test("a user from whom a rule hides the document meanwhile is not obeyed, and rules hold for the locale alone", async () => {
  const rules = [
    allowed(`${uid}.find`, { where: () => ({ featured: false }) }),
    allowed(`${uid}.schedule`, { locales: ["de"] }),
  ];
  const locales = { default: "en", codes: ["en", "de"] };
  const { app, database, documentId, set, carryOut } = await world({
    config: { locales, permissions: { authenticated: rules } },
  });
  const articles = app.services.documents(uid);
  await articles.update(documentId, { locale: "de", status: "draft", data: { title: "A", slug: "a-de" } });
  await app.allowUsers(`${uid}.find`, `${uid}.schedule`, `${uid}.publish`);
  const { body } = await app.send("POST", "/api/auth/local/register", { body: register });
  const token = String(Object(body).jwt);
  expect((await set({ publishAt: after(HOUR) }, token)).status).toBe(403);
  expect((await set({ publishAt: after(HOUR) }, token, "?locale=de")).status).toBe(200);
  await articles.update(documentId, { locale: "de", status: "draft", data: { featured: true } });
  await makeDue(database, "publish");
  carryOut();
  await vi.waitUntil(async () => !JSON.stringify(await states(database)).includes("waiting"), SOON);
  expect(await states(database)).toEqual([["publish", "failed", "Whoever scheduled it may no longer do this"]]);
  expect(await articles.find({ locale: "de" })).toEqual([]);
});

test.each([1, -1])("a process whose clock is %i hours off asks the database's", async (hours) => {
  const { app, database, token, path, set, isPublic, carryOut } = await world();
  const publishAt = after(HOUR / 2);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * HOUR });
  onTestFinished(() => void vi.useRealTimers());
  expect((await set({ publishAt })).status).toBe(200);
  const { documentId: other } = await app.services.documents(uid).create({
    status: "draft",
    data: { title: "B", slug: "b" },
  });
  await app.send("POST", `/api/articles/${other}/actions/schedule`, { token, body: { data: { publishAt } } });
  await database.rows("update document_schedules set at = at - interval '31 minutes' where document_id = $1", [other]);
  carryOut();
  await vi.waitUntil(async () => (await app.send("GET", `/api/articles/${other}`, { token })).status === 200, SOON);
  expect(await isPublic()).toBe(false);
  expect(messageOf(await set({ publishAt: new Date(0).toISOString() }))).toContain("has passed");
  await makeDue(database, "publish");
  await vi.waitUntil(isPublic, SOON);
  expect((await app.send("GET", path, { token })).status).toBe(200);
});

test("a schedule that waits for its document delays no other", async () => {
  const { app, database, documentId, set, isPublic, carryOut } = await world();
  await set({ publishAt: after(HOUR) });
  const articles = app.services.documents(uid);
  const other = await articles.create({ status: "draft", data: { title: "B", slug: "b" } });
  await articles.schedule(other.documentId, { publishAt: after(HOUR) });
  const makeDueNow = (id: string) =>
    database.rows("update document_schedules set at = now() at time zone 'utc' where document_id = $1", [id]);
  await database.transaction(async (session) => {
    await session.rows("select 1 from documents where document_id = $1 for update", [documentId]);
    await makeDueNow(documentId);
    carryOut();
    const blocked =
      "select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await vi.waitUntil(async () => (await database.rows(blocked))[0]?.[0] === 1, SOON);
    await makeDueNow(other.documentId);
    await vi.waitUntil(async () => (await articles.findOne(other.documentId)) !== null, SOON);
    expect(await isPublic()).toBe(false);
  });
  await vi.waitUntil(isPublic, SOON);
});

test("of many that are due at once each is done once, by several processes, with eight statements besides its claim and its caller", async () => {
  const { app, database, set, statements, carryOut } = await world();
  const info = vi.spyOn(app.services.log, "info");
  await set({ publishAt: after(HOUR) });
  const documents = app.services.documents(uid);
  await documents.createMany({
    status: "draft",
    data: Array.from({ length: 119 }, (_, index) => ({ title: `T${index}`, slug: `t${index}` })),
  });
  await database.rows(`insert into document_schedules (document_id, type, locale, action, at, caller, draft_id, state, attempts)
    select a.document_id, s.type, s.locale, s.action, s.at, s.caller, a.id, 'waiting', 0
    from articles a, document_schedules s where a.document_id <> s.document_id`);
  await makeDue(database, "publish");
  statements.length = 0;
  for (let process = 0; process < 3; process += 1) carryOut();
  const count = "select state, count(*)::int from document_schedules group by state";
  await vi.waitUntil(async () => !JSON.stringify(await database.rows(count)).includes("waiting"), SOON);
  expect(await database.rows(count)).toEqual([["done", 120]]);
  expect(await database.rows("select count(*)::int from articles where published_at is not null")).toEqual([[120]]);
  expect(info.mock.calls.filter(([, message]) => message === "done as scheduled")).toHaveLength(120);
  const ofOne = statements.filter((each) => !/^select (count|state)|interval '1|skip locked|"api_tokens"/.test(each));
  expect(ofOne.length / 120).toBe(8);
});

test("what is published and unpublished while no server runs is unpublished in the end", async () => {
  const { app, database, set, carryOut } = await world();
  await set({ publishAt: after(HOUR), unpublishAt: after(2 * HOUR) });
  await app.services.documents(uid).createMany({
    status: "draft",
    data: Array.from({ length: 15 }, (_, index) => ({ title: `T${index}`, slug: `t${index}` })),
  });
  await database.rows(`insert into document_schedules (document_id, type, locale, action, at, caller, draft_id, state, attempts)
    select a.document_id, s.type, s.locale, s.action, s.at, s.caller, a.id, 'waiting', 0
    from articles a, document_schedules s where a.document_id <> s.document_id`);
  await database.rows("update document_schedules set at = at - interval '3 hours'");
  for (let process = 0; process < 2; process += 1) carryOut();
  const count = "select state, count(*)::int from document_schedules group by state";
  await vi.waitUntil(async () => !JSON.stringify(await database.rows(count)).includes("waiting"), SOON);
  expect(await database.rows(count)).toEqual([["done", 32]]);
  expect(await database.rows("select count(*)::int from articles where published_at is not null")).toEqual([[0]]);
});

test("what could not be published in time is not published after it was to be unpublished", async () => {
  const { database, set, isPublic, carryOut } = await world();
  await set({ publishAt: after(HOUR), unpublishAt: after(2 * HOUR) });
  await database.rows("update document_schedules set at = at - interval '3 hours'");
  await database.rows(`update document_schedules set attempts = 5, retry_at = now() at time zone 'utc' + interval '1 second'
    where action = 'publish'`);
  carryOut();
  await vi.waitUntil(async () => !JSON.stringify(await states(database)).includes("waiting"), SOON);
  expect(await states(database)).toEqual([
    ["publish", "cancelled", "It was unpublished before"],
    ["unpublish", "done", null],
  ]);
  expect(await isPublic()).toBe(false);
});

test("what waits is cancelled with its reason where its type has lost the option, or is gone", async () => {
  const { database, set } = await world();
  await set({ publishAt: after(HOUR) });
  await database.rows(`insert into document_schedules (document_id, type, locale, action, at, caller, draft_id, state, attempts)
    select 'gone', 'api::gone.gone', locale, action, at, caller, draft_id, 'waiting', 0 from document_schedules`);
  await makeDue(database, "publish");
  const others = { ...example, contentTypes: { ...example.contentTypes, [author]: scheduledAuthor() } };
  const { services } = await exampleApp(onTestFinished, database, {}, others);
  const { stop } = startSchedules(services);
  onTestFinished(stop);
  await vi.waitUntil(async () => !JSON.stringify(await states(database)).includes("waiting"), SOON);
  expect(await states(database)).toEqual([
    ["publish", "cancelled", "Its content type has no schedules any more"],
    ["publish", "cancelled", "Its content type is gone"],
  ]);
  expect(await database.rows("select count(*)::int from articles where published_at is not null")).toEqual([[0]]);
});

test("without the option a write sends the statements that it sent before, and with it one more, for its answer", async () => {
  const counted = await Promise.all(
    [example, application].map(async (served) => {
      const { app, statements, token, path } = await world({ served });
      await app.send("PUT", path, { token, body: { data: { title: "B" } } });
      statements.length = 0;
      expect((await app.send("PUT", path, { token, body: { data: { title: "C" } } })).status).toBe(200);
      const sent = statements.map((statement) => statement.replaceAll(/\s+/g, " "));
      return sent;
    }),
  );
  const [without = [], having = []] = counted;
  expect(without.join("\n")).not.toContain("document_schedules");
  expect(having.filter((statement) => !statement.includes("document_schedules"))).toEqual(without);
  expect(having).toHaveLength(without.length + 1);
});
