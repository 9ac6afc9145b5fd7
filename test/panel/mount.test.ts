/** How the panel is served, and the routes that it needs. */
import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import example from "../../generated/index.ts";
import { announce } from "../../generator/commands/announce.ts";
import { can } from "../../runtime/access/row-rules.ts";
import { firstPanelUser } from "../../runtime/accounts/roles/panel-roles.ts";
import type { ActionTree } from "../../runtime/accounts/roles/role-management.ts";
import { defineExtension } from "../../runtime/app/extension.ts";
import { startFeatures } from "../../runtime/app/features.ts";
import type { ConfigInput } from "../../runtime/config/config.ts";
import { registration } from "../support/auth-app.ts";
import { type ExampleApp, exampleApp, exampleDatabase } from "../support/example-app.ts";

const ARTICLE = "api::article.article";
const TAG = "api::tag.tag";

const nothing = async (): Promise<void> => {};

const exampleWith = async (panel: object | false) => exampleApp(onTestFinished, await exampleDatabase(), { panel });

test("the page answers below its path with a policy that lets nothing foreign in, and its files are kept for good", async () => {
  const app = await exampleWith({ path: "/write", title: "</script><b>" });
  const { status, headers, text } = await app.send("GET", "/write/content/articles");
  expect(status).toBe(200);
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none';script-src 'self';style-src 'self' 'nonce-[^']+';/,
  );
  expect(headers.get("cache-control")).toBe("no-store");
  expect(text).not.toContain("<b>");
  const [, script] = /src="(\/write\/assets\/[^"]+\.js)"/.exec(text) ?? [];
  const file = await app.send("GET", script ?? "");
  expect([file.status, file.headers.get("content-type"), file.headers.get("cache-control")]).toEqual([
    200,
    "text/javascript; charset=utf-8",
    "public, max-age=31536000, immutable",
  ]);
  expect((await app.send("GET", "/write/assets/nothing.js")).status).toBe(404);
  expect((await app.send("GET", "/admin")).status).toBe(404);
});

test("the first load is at most 300 kB of script and style", async () => {
  const page = await readFile("dist/panel/index.html", "utf8");
  const names = [...page.matchAll(/assets\/([^"]+)/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(1);
  expect(await readdir("dist/panel/assets")).toEqual(expect.arrayContaining(names));
  const sizes = await Promise.all(
    names.map(async (name) => gzipSync(await readFile(`dist/panel/assets/${name}`)).length),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(300_000);
});

test("the description tells a caller of what the caller may see, and is for the panel's roles alone", async () => {
  const app = await exampleWith({ roles: ["writer"] });
  expect((await app.send("GET", "/api/panel")).status).toBe(401);
  const { body } = await app.send("POST", "/api/auth/local/register", { body: registration("ada") });
  const { jwt } = body as { jwt: string };
  expect((await app.send("GET", "/api/panel", { token: jwt })).status).toBe(403);
  const narrow = await app.token("api::article.article.find");
  const seen = await app.send("GET", "/api/panel", { token: narrow });
  expect(seen.body).toMatchObject({
    data: {
      user: null,
      actions: ["api::article.article.find"],
      contentTypes: [{ uid: "api::article.article", localized: true, attributes: { featured: { default: false } } }],
    },
  });
  // A relation whose target the caller may not read cannot be written by the caller either.
  expect(seen.text).not.toContain("api::author.author");
  const { data } = seen.body as { data: { components: { uid: string }[] } };
  expect(data.components.map(({ uid }) => uid)).toContain("shared.seo");
  // A component of the home page alone.
  expect(seen.text).not.toContain("blocks.hero");
});

test("a role that the panel creates may do what there is, until somebody sets its permissions, and others gain nothing", async () => {
  const database = await exampleDatabase();
  const start = async (roles: readonly string[], more: ConfigInput = {}) => {
    const app = await exampleApp(onTestFinished, database, { ...more, panel: { roles: [...roles] } });
    const all = app.services.auth.roles.all();
    return { app, may: (type: string) => [...(all.find((role) => role.type === type)?.actions ?? [])], all };
  };
  const DELETE = "api::tag.tag.delete";
  const first = await start(["public", "editor"]);
  expect(first.may("public")).not.toContain(DELETE);
  expect(first.may("editor")).toContain(DELETE);
  expect(first.may("editor")).not.toContain("plugin::users-permissions.role.updateRole");
  const body = { name: "Chief", type: "chief", description: "" };
  await first.app.send("POST", "/api/users-permissions/roles", { token: await first.app.token(), body });
  expect((await start(["chief"])).may("chief")).toEqual([]);

  const made = await start(["director"]);
  expect(made.may("director")).toEqual(expect.arrayContaining([...made.app.services.actions]));
  // As an action that is new.
  await database.rows("delete from role_permissions where action = $1", [DELETE]);
  const again = await start(["director"]);
  expect(again.may("director")).toContain(DELETE);
  expect(again.may("editor")).not.toContain(DELETE);
  const token = await again.app.token();
  const path = `/api/users-permissions/roles/${again.all.find(({ type }) => type === "director")?.id}`;
  const shown = (await again.app.send("GET", path, { token })).body as { role: { permissions: ActionTree } };
  const { permissions } = shown.role;
  Object.assign(permissions["api::tag"]?.controllers["tag"] ?? {}, { delete: { enabled: false } });
  expect((await again.app.send("PUT", path, { token, body: { permissions } })).status).toBe(200);
  const last = await start(["director", "desk"], { permissions: { desk: ["api::tag.tag.find"] } });
  expect(last.may("director")).toContain("api::tag.tag.find");
  expect(last.may("director")).not.toContain(DELETE);
  expect(last.may("desk")).toEqual([]);
});

test("of two servers that start together, one creates the first user, and both start", async () => {
  const database = await exampleDatabase();
  const roles = ["administrator", "editor"];
  const apps = [await exampleApp(onTestFinished, database, { panel: {} })];
  apps.push(await exampleApp(onTestFinished, database, { panel: {} }));
  const links = await Promise.all(apps.map(({ services }) => firstPanelUser(services, roles)));
  expect(links.filter((link) => link !== undefined)).toHaveLength(1);
});

test("a project without a panel has no such route, and no such roles", async () => {
  const app = await exampleWith(false);
  expect((await app.send("GET", "/api/panel", { token: await app.token() })).status).toBe(404);
  expect(app.services.auth.roles.all().map(({ type }) => type)).toEqual(["authenticated", "public"]);
});

test("a write with If-Match is refused where the version has been written since, and stores nothing", async () => {
  const app = await exampleWith(false);
  const token = await app.token();
  const created = await app.send("POST", "/api/tags", { token, body: { data: { name: "Sea", slug: "sea" } } });
  const { documentId, updatedAt } = (created.body as { data: { documentId: string; updatedAt: string } }).data;
  const put = (name: string, tag?: string) =>
    app.send("PUT", `/api/tags/${documentId}`, {
      token,
      body: { data: { name } },
      ...(tag === undefined ? {} : { headers: { "if-match": tag } }),
    });
  const first = await put("Harbour", `"${updatedAt}"`);
  expect([first.status, first.body]).toMatchObject([200, { data: { name: "Harbour" } }]);
  const now = (first.body as { data: { updatedAt: string } }).data.updatedAt;
  const second = await put("Pier", `"${updatedAt}"`);
  expect(second.body).toMatchObject({
    error: { status: 412, name: "PreconditionFailedError", details: { updatedAt: now } },
  });
  expect((await put("Pier", 'W/"1"')).status).toBe(400);
  expect((await app.send("GET", `/api/tags/${documentId}`, { token })).body).toMatchObject({
    data: { name: "Harbour" },
  });
  expect((await put("Pier", "*")).status).toBe(200);
  expect((await put("Pier")).status).toBe(200);
});

test("of two writers with the same If-Match at once, one wins", async () => {
  const app = await exampleWith(false);
  const token = await app.token();
  const created = await app.send("POST", "/api/articles?status=draft", { token, body: { data: { title: "One" } } });
  const { documentId, updatedAt } = (created.body as { data: { documentId: string; updatedAt: string } }).data;
  const answers = await Promise.all(
    ["a", "b", "c", "d"].map((title) =>
      app.send("PUT", `/api/articles/${documentId}?status=draft`, {
        token,
        body: { data: { title } },
        headers: { "if-match": `"${updatedAt}"` },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
});

test("a project that refuses the first user is served without one", async () => {
  const extensions = {
    "plugin::users-permissions.user": defineExtension<"plugin::users-permissions.user">({
      hooks: {
        beforeCreate() {
          throw new Error("nobody is let in");
        },
      },
    }),
  };
  const app = await exampleApp(onTestFinished, await exampleDatabase(), { panel: {} }, { ...example, extensions });
  await announce({ port: 1, services: app.services, replace: nothing, close: nothing });
  expect(app.logged()).toContain("nobody is let in");
});

test("a PUT with If-Match is held to it in the format of version 4 too, and a POST is not", async () => {
  const app = await exampleApp(onTestFinished, await exampleDatabase(), { rest: { format: "v4" } });
  const token = await app.token();
  const headers = { "if-match": '"2020-01-01T00:00:00.000Z"' };
  const create = { token, body: { data: { name: "Sea", slug: "sea" } }, headers };
  const created = await app.send("POST", "/api/tags", create);
  expect(created.status).toBe(200);
  const { id } = (created.body as { data: { id: number } }).data;
  expect((await app.send("PUT", `/api/tags/${id}`, create)).status).toBe(412);
  const newer = { ...create, headers: { ...headers, "strapi-response-format": "v5" } };
  expect((await app.send("POST", "/api/tags", { ...newer, body: { data: { name: "Bay", slug: "bay" } } })).status).toBe(
    201,
  );
  expect((await app.send("PUT", "/api/global", { token, body: { data: { siteName: "Sea" } }, headers })).status).toBe(
    412,
  );
});

/** The answer that one other user has a document open. */
const visitor = (username: string) => ({ data: [{ id: expect.any(Number), username }] });

test("who has a document open is told to the others who have, by any process, until they leave", async () => {
  const real = Date.now.bind(Date);
  let ahead = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => real() + ahead);
  onTestFinished(() => clock.mockRestore());
  const database = await exampleDatabase();
  const config = {
    panel: { roles: ["authenticated"] },
    fields: { authenticated: { [ARTICLE]: { write: ["title"] } } },
    permissions: { authenticated: [can(`${TAG}.find`, { where: () => ({ name: "Sea" }) })] },
  };
  const apps = [
    await exampleApp(onTestFinished, database, config),
    await exampleApp(onTestFinished, database, config),
  ] as const;
  for (const { services } of apps) onTestFinished(await startFeatures(services));
  const [one, other] = apps;
  await one.allowUsers(`${ARTICLE}.find`, `${ARTICLE}.update`, `${TAG}.find`);
  const entered = async (name: string): Promise<string> => {
    const { body } = await one.send("POST", "/api/auth/local/register", { body: registration(name) });
    return (body as { jwt: string }).jwt;
  };
  const [ada, bob] = [await entered("ada"), await entered("bob")];
  const open = { uid: ARTICLE, documentId: "a".repeat(24), locale: "en" };
  const say = async (app: ExampleApp, token: string, data: object = open) =>
    app.send("POST", "/api/panel/presence", { token, body: { data } });
  const sent = vi.spyOn(database, "rows");
  const notifications = () => sent.mock.calls.filter(([, parameters]) => parameters?.[0] === "galley_panel").length;
  // Each notification outdates all cached responses. Who stays alone causes none.
  for (ahead = 0; ahead <= 60_000; ahead += 15_000) expect((await say(one, ada)).body).toEqual({ data: [] });
  expect(notifications()).toBe(1);
  // The other process has forgotten her meanwhile, and hears of her when she has seen Bob.
  expect((await say(other, bob)).body).toEqual({ data: [] });
  await expect.poll(async () => (await say(one, ada)).body).toEqual(visitor("bob"));
  await expect.poll(async () => (await say(other, bob)).body).toEqual(visitor("ada"));
  expect((await say(other, bob, { ...open, locale: "de" })).body).toEqual({ data: [] });
  await say(one, ada, { ...open, leaves: true });
  await expect.poll(async () => (await say(other, bob)).body).toEqual({ data: [] });

  // Nobody learns who edits a document that is hidden by a rule.
  const token = await one.token();
  for (const [name, status] of [["Sea", 200] as const, ["Sky", 404] as const]) {
    const tag = await one.send("POST", "/api/tags", { token, body: { data: { name, slug: name.toLowerCase() } } });
    const { documentId } = (tag.body as { data: { documentId: string } }).data;
    expect((await say(one, ada, { uid: TAG, documentId })).status).toBe(status);
  }
  expect((await say(one, ada, { ...open, uid: "api::author.author" })).status).toBe(403);
  expect((await say(one, ada, { ...open, documentId: "a".repeat(300) })).status).toBe(400);
  expect((await say(one, await one.token())).status).toBe(403);
  expect((await one.send("POST", "/api/panel/presence", { body: { data: open } })).status).toBe(401);
  // What a role may read and not write is described as such.
  const { body } = await one.send("GET", "/api/panel", { token: ada });
  const [article] = (body as { data: { contentTypes: { attributes: Record<string, object> }[] } }).data.contentTypes;
  expect(article?.attributes["excerpt"]).toMatchObject({ writable: false });
  expect(article?.attributes["title"]).not.toHaveProperty("writable");
});
