/** What is published and unpublished at a time, asked over REST and by code. */
import { expect, test, vi } from "vitest";
import { can } from "../../../runtime/access/row-rules.ts";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { textAt } from "../../support/auth-app.ts";
import { SOON } from "../../support/soon.ts";
import { after, HOUR, makeDue, messageOf, states, uid, world } from "./world.ts";

test("a draft is published and unpublished when its times come, and whoever may read drafts sees when", async () => {
  const { app, database, set, draft, isPublic, carryOut, documentId, path } = await world();
  carryOut();
  const [publishAt, unpublishAt] = [after(HOUR), after(2 * HOUR)];
  const answer = await set({ publishAt, unpublishAt });
  const waiting = { documentId, locale: "en", publishAt, unpublishAt, last: null };
  expect(answer).toMatchObject({ status: 200, body: { data: waiting } });
  expect(await draft()).toMatchObject({ data: { title: "A" }, meta: { schedule: waiting } });
  await bringNear(database, "publish");
  await vi.waitUntil(isPublic, SOON);
  const at = expect.any(String);
  expect(await draft()).toMatchObject({
    meta: { schedule: { publishAt: null, unpublishAt, last: { action: "publish", state: "done", at } } },
  });
  const reader = await app.token(`${uid}.findOne`);
  expect((await app.send("GET", path, { token: reader })).body).toMatchObject({ meta: {} });
  expect((await app.send("GET", path, { token: reader })).text).not.toContain("schedule");
  await bringNear(database, "unpublish");
  await vi.waitUntil(async () => !(await isPublic()), SOON);
  expect(await database.rows("select count(*)::int from document_schedules where ended_at >= at")).toEqual([[2]]);
});

/** Its time comes while processes wait for it. */
const bringNear = (database: Database, action: string): Promise<unknown> =>
  database.rows(
    "update document_schedules set at = (now() at time zone 'utc') + interval '300 milliseconds' where action = $1",
    [action],
  );

test("what has ended is shown for 30 days, whether or not anything is due", async () => {
  const { database, set, carryOut } = await world();
  for (const days of [31, 29]) {
    await set({ publishAt: after(HOUR) });
    await set({ publishAt: null });
    const ended = "(now() at time zone 'utc') - $1::int * interval '1 day'";
    await database.rows(`update document_schedules set ended_at = ${ended} where ended_at > ${ended}`, [days]);
  }
  const count = () => database.rows("select count(*)::int from document_schedules");
  expect(await count()).toEqual([[2]]);
  carryOut();
  await vi.waitUntil(async () => Number((await count())[0]?.[0]) === 1, SOON);
  expect(await database.rows("select id from document_schedules")).toEqual([[2]]);
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

test("code of the project schedules, too", async () => {
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

test("the list of scheduled documents has those of a language that the caller may read, with their times", async () => {
  const rule = can(`${uid}.find`, { where: () => ({ slug: "b" }) });
  const locales = { default: "en", codes: ["en", "de"] };
  const { app, database, set, documentId, token } = await world({
    config: { locales, permissions: { authenticated: [rule, `${uid}.readDraft`] } },
  });
  const articles = app.services.documents(uid);
  const { documentId: other } = await articles.create({ status: "draft", data: { title: "B", slug: "b" } });
  await articles.update(other, { locale: "de", status: "draft", data: { title: "Be", slug: "be" } });
  await articles.create({ status: "draft", data: { title: "C", slug: "c" } });
  const list = async (query = "", by = token) =>
    (await app.send("GET", `/api/schedules/articles?fields=title&${query}`, { token: by })).body;
  const nothing = { data: [], meta: { pagination: { total: 0 }, schedules: [] } };
  expect(await list()).toMatchObject(nothing);

  const [publishAt, unpublishAt] = [after(HOUR), after(2 * HOUR)];
  await set({ publishAt, unpublishAt });
  await articles.schedule(other, { locale: "de", publishAt });
  expect(await list()).toMatchObject({
    data: [{ documentId, title: "A" }],
    meta: {
      pagination: { total: 1 },
      schedules: [
        { documentId, locale: "en", action: "publish", at: publishAt },
        { documentId, locale: "en", action: "unpublish", at: unpublishAt },
      ],
    },
  });
  expect(await list("locale=de")).toMatchObject({
    data: [{ title: "Be" }],
    meta: { schedules: [{ documentId: other, locale: "de", action: "publish", at: publishAt }] },
  });
  expect(await list(`filters[documentId][$in][0]=${other}`)).toMatchObject(nothing);
  await database.script(`insert into document_schedules
    (document_id, type, locale, action, at, caller, draft_id, state, attempts)
    select 'x' || n, '${uid}', 'en', 'publish', now() + interval '9 days', '{"kind":"system"}', 0, 'waiting', 0
    from generate_series(1, 10000) n`);
  expect(await list()).toMatchObject({ data: [{ documentId }], meta: { schedules: [{ at: publishAt }, {}] } });

  await app.allowUsers(`${uid}.find`, `${uid}.readDraft`);
  const body = { username: "ann", email: "ann@example.com", password: "low water at nine" };
  const jwt = textAt((await app.send("POST", "/api/auth/local/register", { body })).body, "jwt");
  expect(await list("", jwt)).toMatchObject(nothing);
  for (const action of ["find", "readDraft"])
    expect(await list("", await app.token(`${uid}.${action}`))).toMatchObject({ error: { status: 403 } });

  await articles.publish(documentId);
  expect(await list()).toMatchObject(nothing);
});

/** A user of a role with these permissions, who may otherwise do what is needed to schedule. */
const limited = async (...rules: NonNullable<NonNullable<ConfigInput["permissions"]>[string]>) => {
  const locales = { default: "en", codes: ["en", "de"] };
  const made = await world({ config: { locales, permissions: { authenticated: rules } } });
  await made.app.allowUsers(...["find", "findOne", "readDraft", "schedule", "publish"].map((name) => `${uid}.${name}`));
  const body = { username: "ann", email: "ann@example.com", password: "low water at nine" };
  const jwt = textAt((await made.app.send("POST", "/api/auth/local/register", { body })).body, "jwt");
  return { ...made, jwt };
};

test("whoever may read one language only does not learn that another is scheduled", async () => {
  const { app, documentId, path, jwt } = await limited(can(`${uid}.find`, { locales: ["en"] }));
  const articles = app.services.documents(uid);
  await articles.update(documentId, { locale: "de", status: "draft", data: { title: "A", slug: "de" } });
  const publishAt = after(HOUR);
  await articles.schedule(documentId, { locale: "de", publishAt });
  const get = async (target: string) => (await app.send("GET", target, { token: jwt })).body;
  const nothing = { data: [], meta: { pagination: { total: 0 }, schedules: [] } };
  for (const query of ["locale=*", "locale=de&fallback=en", "locale[0]=en&locale[1]=de"])
    expect(await get(`/api/schedules/articles?${query}`), query).toMatchObject(nothing);
  const one = { documentId, locale: "en" };
  expect(await get(`${path}?status=draft&locale=de&fallback=en`)).toEqual({
    data: expect.objectContaining(one),
    meta: {},
  });
  await articles.schedule(documentId, { publishAt });
  const schedules = [{ ...one, action: "publish", at: publishAt }];
  expect(await get("/api/schedules/articles?locale=*&fields=title")).toMatchObject({
    data: [{ title: "A" }],
    meta: { schedules },
  });
  expect(await get(`${path}?status=draft&locale=de&fallback=en`)).toMatchObject({
    meta: { schedule: { ...one, publishAt } },
  });
});

test("a document that is given away meanwhile is not scheduled", async () => {
  const { database, set, documentId, jwt } = await limited(can(`${uid}.schedule`, { where: () => ({ slug: "a" }) }));
  let answer: Promise<unknown> = Promise.resolve();
  await database.transaction(async (session) => {
    await session.rows("select 1 from documents where document_id = $1 for update", [documentId]);
    answer = set({ publishAt: after(HOUR) }, jwt);
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await vi.waitUntil(async () => (await database.rows(waiting)).length > 0, SOON);
    await session.rows("update articles set slug = 'b' where document_id = $1", [documentId]);
  });
  expect(await answer).toMatchObject({ status: 403 });
  expect(await states(database)).toEqual([]);
});
