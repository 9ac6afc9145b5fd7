/** Links to drafts for people without an account, attacked by whoever has one. */
import { onTestFinished, expect, test } from "vitest";
import { z } from "zod";
import { describeTables } from "../../../generator/migrate/tables/describe-tables.ts";
import { can } from "../../../runtime/access/row-rules.ts";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import { listen } from "../../../runtime/http/listen.ts";
import { shareLinks } from "../../../runtime/sharing/tables.ts";
import { at, textAt } from "../../support/auth-app.ts";
import { creationSql } from "../../support/creation-sql.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const ARTICLE = "api::article.article";
const AUTHOR = "api::author.author";
const CATEGORY = "api::category.category";
const CREATE = "plugin::sharing.link.create";
const RIGHTS = [CREATE, `${ARTICLE}.findOne`, `${ARTICLE}.find`, `${ARTICLE}.readDraft`, `${AUTHOR}.find`];

const soon = (seconds = 3600): string => new Date(Date.now() + seconds * 1000).toISOString();

/** A server with two drafts that are related, one of them also German, and an editor who may share. */
const world = async (config: ConfigInput = {}) => {
  const database = await exampleDatabase(onTestFinished);
  await database.script(creationSql(describeTables([shareLinks])));
  const locales = { default: "en", codes: ["en", "de"] };
  const app = await exampleApp(onTestFinished, database, { locales, sharing: { maxDays: 7 }, ...config });
  await app.allowUsers(...RIGHTS);
  const body = { username: "ann", email: "ann@example.com", password: "low water at nine" };
  const ann = textAt((await app.send("POST", "/api/auth/local/register", { body })).body, "jwt");
  const { documents } = app.services;
  const author = await documents(AUTHOR).create({ data: { name: "Bea", slug: "bea" } });
  const articles = documents(ARTICLE);
  const other = await articles.create({ data: { title: "Hidden draft", slug: "other", author: author.documentId } });
  const data = { title: "Low tide", slug: "low-tide", author: author.documentId, related: [other.documentId] };
  const { documentId } = await articles.create({ data });
  await articles.update(documentId, { locale: "de", data: { title: "Ebbe", slug: "ebbe" } });
  const share = (given: object = {}, token = ann) =>
    app.send("POST", "/api/share-links", {
      token,
      body: { data: { uid: ARTICLE, documentId, locale: "en", expiresAt: soon(), ...given } },
    });
  const open = (token: string, query = "") => app.send("GET", `/api/preview?token=${token}${query}`);
  return { app, database, ann, articles, documentId, other: other.documentId, share, open };
};

const ENDED = { error: { status: 404, message: "This link has ended" } };

test("whoever has a link sees the draft as it is now, without an account, and no cache keeps it", async () => {
  const { app, articles, documentId, share, open } = await world();
  expect((await app.send("GET", `/api/articles/${documentId}?status=draft`)).status).toBe(403);
  const made = await share();
  expect(made).toMatchObject({
    status: 201,
    body: { data: { id: expect.any(String), expiresAt: expect.any(String) } },
  });
  const token = textAt(made.body, "data.token");
  const shown = { data: { documentId, title: "Low tide" }, meta: { uid: ARTICLE, documentId, locale: "en" } };
  const answer = await open(token);
  expect(answer.body).toMatchObject(shown);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex",
  });
  const headers = { "x-preview-token": token };
  expect((await app.send("GET", "/api/preview?fields=title", { headers })).body).toMatchObject(shown);
  await articles.update(documentId, { data: { title: "High tide" } });
  expect((await open(token)).body).toMatchObject({ data: { title: "High tide" } });
});

test("served over HTTP, each answer is read anew, also behind the response cache", async () => {
  const { app, share, articles, documentId } = await world();
  const { port, close } = await listen(app.app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  onTestFinished(close);
  const token = textAt((await share()).body, "data.token");
  const titles: unknown[] = [];
  for (const title of ["One", "Two"]) {
    await articles.update(documentId, { data: { title } });
    for (let time = 0; time < 2; time += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/preview?token=${token}`);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      titles.push(at(await answer.json(), "data.title"));
    }
  }
  expect(titles).toEqual(["One", "One", "Two", "Two"]);
});

test("a link leads to no other document, locale, type or draft", async () => {
  const { app, share, open, documentId, other, articles } = await world({ sharing: { maxDays: 7, related: [AUTHOR] } });
  const token = textAt((await share()).body, "data.token");
  for (const query of [
    `&documentId=${other}`,
    "&locale=de",
    "&status=published",
    "&uid=api::tag.tag",
    "&filters[id]=2",
  ])
    expect(await open(token, query)).toMatchObject({ status: 400 });
  const populate = [
    "&populate[related]=true",
    "&populate[localizations]=true",
    "&populate[author][populate][articles]=true",
    "&populate[author][populate][articles][populate][related]=true",
    "&populate[author][populate][articles][populate][localizations]=true",
    "&populate=*",
  ];
  for (const query of populate) {
    const { status, text } = await open(token, query);
    expect([query, status]).toEqual([query, 200]);
    expect(text).not.toMatch(/Hidden draft|Ebbe/);
    if (query.includes("author")) expect(text).toContain("Bea");
  }
  // Nor published versions of the same type: the link is to one document of it.
  await articles.publish(other);
  expect((await open(token, "&populate[related]=true")).body).toMatchObject({ data: { related: [] } });
  // Nor through a type without drafts, which leads to published versions.
  await articles.publish(documentId, { locale: "de" });
  for (const query of populate) expect((await open(token, query)).text).not.toMatch(/Hidden draft|Ebbe/);
  // As a credential the token is none.
  expect((await app.send("GET", "/api/articles", { token })).status).toBe(401);
});

test("relations lead only to what the public may find, unless the configuration names the type", async () => {
  const { app, share, open } = await world();
  const token = textAt((await share()).body, "data.token");
  const hidden = await open(token, "&populate[author]=true");
  expect(hidden.status).toBe(200);
  expect(hidden.text).not.toContain("Bea");
  await app.allowPublic(`${AUTHOR}.find`);
  expect((await open(token, "&populate[author]=true")).body).toMatchObject({ data: { author: { name: "Bea" } } });
});

test("a link to a type without drafts leads to no other document or locale of it either", async () => {
  const { app, share, open } = await world();
  const categories = app.services.documents(CATEGORY);
  const { documentId } = await categories.create({ data: { name: "Sea", slug: "sea" } });
  await categories.update(documentId, { locale: "de", data: { name: "Meer", slug: "meer" } });
  const other = await categories.create({ data: { name: "Land", slug: "land" } });
  const article = { title: "Coast", slug: "coast", categories: [documentId, other.documentId] };
  await app.services.documents(ARTICLE).create({ data: article, status: "published" });
  await app.allowUsers(...RIGHTS, `${CATEGORY}.find`, `${CATEGORY}.findOne`);
  await app.allowPublic(`${ARTICLE}.find`);
  const token = textAt((await share({ uid: CATEGORY, documentId })).body, "data.token");
  const query = "&populate[localizations]=true&populate[articles][populate][categories][populate]=localizations";
  const { text } = await open(token, query);
  expect(text).toMatch(/"Sea".*"Coast"/);
  expect(text).not.toMatch(/Meer|Land/);
});

test("what a link shows because the public may find it, it shows as the public sees it", async () => {
  const rule = can(`${AUTHOR}.find`, { where: () => ({ slug: { $ne: "bea" } }) });
  const lists = { public: { [AUTHOR]: ["name"] } };
  for (const [related, shown] of [
    [[], null],
    [[AUTHOR], { name: "Bea", slug: "bea" }],
  ] as const) {
    const sharing = { maxDays: 7, related: [...related] };
    const { app, share, open } = await world({ sharing, permissions: { public: [rule] }, fields: lists });
    await app.allowPublic(`${AUTHOR}.find`);
    const token = textAt((await share()).body, "data.token");
    const author = async () => at((await open(token, "&populate[author]=true")).body, "data.author");
    expect(await author()).toEqual(shown && expect.objectContaining(shown));
    await app.services.documents(AUTHOR).updateMany({ filters: {}, data: { slug: "open" } });
    expect(Object.keys(z.looseObject({}).parse(await author())).includes("slug")).toBe(shown !== null);
  }
});

test("an answer is as long as other answers may be", async () => {
  const { share, open, articles, documentId } = await world({ limits: { answerSize: 600 } });
  await articles.update(documentId, { data: { excerpt: "x".repeat(280) } });
  const token = textAt((await share()).body, "data.token");
  expect((await open(token, "&fields=title")).status).toBe(200);
  expect((await open(token, "&populate=*")).status).toBe(400);
});

test("an expired, ended, changed or made-up token, and one whose maker lost the right, show nothing", async () => {
  const { app, database, ann, articles, documentId, share, open } = await world();
  const made = (await share()).body;
  const token = textAt(made, "data.token");
  const [head = "", payload = "", signature = ""] = token.split(".");
  const forged = Buffer.from(JSON.stringify({ jti: textAt(made, "data.id"), exp: 9e9 })).toString("base64url");
  const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
  const wrong = ["", "x", `${head}.${forged}.${signature}`, `${none}.${forged}.`, `${head}.${payload}.`, ann];
  for (const each of wrong) expect((await open(each)).body).toMatchObject(ENDED);
  expect((await open(`${token}&token=${token}`)).body).toMatchObject(ENDED);

  await app.allowUsers(...RIGHTS.filter((action) => action !== CREATE));
  expect((await open(token)).body).toMatchObject(ENDED);
  await app.allowUsers(...RIGHTS.filter((action) => !action.endsWith("readDraft")));
  expect((await open(token)).body).toMatchObject(ENDED);
  await app.allowUsers(...RIGHTS);
  expect((await open(token)).status).toBe(200);

  await database.rows("update share_links set expires_at = now() at time zone 'utc' - interval '1 second'");
  expect((await open(token)).body).toMatchObject(ENDED);
  const place = `uid=${ARTICLE}&documentId=${documentId}&locale=en`;
  const list = async () => at((await app.send("GET", `/api/share-links?${place}`, { token: ann })).body, "data");
  expect(await list()).toEqual([]);
  const second = (await share()).body;
  const id = textAt(second, "data.id");
  expect(await list()).toMatchObject([{ id, userId: expect.any(Number) }]);
  expect(JSON.stringify(await list())).not.toContain(textAt(second, "data.token"));
  expect((await app.send("DELETE", `/api/share-links/${id}`)).status).toBe(403);
  expect((await app.send("DELETE", `/api/share-links/${id}`, { token: ann })).status).toBe(204);
  expect((await open(textAt(second, "data.token"))).body).toMatchObject(ENDED);
  const third = textAt((await share()).body, "data.token");
  await articles.delete(documentId);
  expect((await open(third)).body).toMatchObject(ENDED);
});

test("only who may read the draft makes a link, for a time that the configuration allows", async () => {
  const rule = can(`${ARTICLE}.readDraft`, { where: () => ({ slug: "other" }) });
  const { app, documentId, other, share, open } = await world({ permissions: { authenticated: [rule] } });
  expect(await share()).toMatchObject({ status: 404 });
  const token = textAt((await share({ documentId: other })).body, "data.token");
  expect((await open(token)).body).toMatchObject({ data: { title: "Hidden draft" } });
  expect((await share({ documentId: other }, "")).status).toBe(403);
  // The clock of a client that asks for all days may be ahead.
  expect((await share({ documentId: other, expiresAt: soon(7 * 86_400 + 60) })).status).toBe(201);
  const refused: readonly (readonly [object, string])[] = [
    [{ documentId: other, expiresAt: soon(-1) }, "within the next 7 days"],
    [{ documentId: other, expiresAt: soon(8 * 86_400) }, "within the next 7 days"],
    [{ documentId: other, uid: "plugin::users-permissions.user" }, "There is no content type"],
    [{ documentId: other, uid: "api::nothing.nothing" }, "There is no content type"],
  ];
  for (const [given, message] of refused) {
    const { status, text } = await share(given);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  }
  const bare = await app.token(CREATE);
  expect(await share({ documentId }, bare)).toMatchObject({ status: 403 });
});

test("without the setting there is no route and no action", async () => {
  const app = await exampleApp(onTestFinished, await exampleDatabase(onTestFinished));
  for (const path of ["/api/preview", "/api/share-links"])
    expect((await app.send("GET", path, { token: await app.token() })).status).toBe(404);
  expect(app.services.actions.has(CREATE)).toBe(false);
});
