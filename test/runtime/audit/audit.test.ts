/** The audit log: who did what, over REST and GraphQL, and what the database refuses. */
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { describeTables } from "../../../generator/migrate/tables/describe-tables.ts";
import { system } from "../../../runtime/access/caller.ts";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import { issueCode } from "../../../runtime/accounts/codes.ts";
import { deleteExpired } from "../../../runtime/audit/feature.ts";
import * as tables from "../../../runtime/audit/tables.ts";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import { APPEND_ONLY } from "../../../runtime/database/migrations/append-only.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { recordAct } from "../../../runtime/documents/recorders.ts";
import { administrator, at, password, registration } from "../../support/auth-app.ts";
import { creationSql } from "../../support/creation-sql.ts";
import { bothDatabases, type DatabaseKind, freshDatabase, recording } from "../../support/database.ts";
import { exampleApp } from "../../support/example-app.ts";
import { secrets } from "../../support/services.ts";

const open = async (kind: DatabaseKind = "postgres", config: ConfigInput = {}) => {
  const database = await freshDatabase(kind, kind === "postgres" ? onTestFinished : afterAll);
  await migrate(database, "generated/migrations");
  await database.script(APPEND_ONLY);
  await database.script(creationSql(describeTables(Object.values(tables))));
  const app = await exampleApp(onTestFinished, database, { audit: true, panel: {}, ...config });
  const token = await administrator(app);
  const log = async (query = "") => at((await app.send("GET", `/api/audit-log${query}`, { token })).body, "data");
  return { ...app, token, log };
};

const logIn = { identifier: "anna", password };

test.each(bothDatabases)("logins, passwords, roles, permissions and deletions are recorded on %s", async (kind) => {
  const github = { clientId: "x", clientSecret: "y" };
  const { send, token, log, services, allowPublic } = await open(kind, { auth: { providers: { github } } });
  await allowPublic("plugin::users-permissions.auth.connect", "plugin::users-permissions.auth.callback");
  const from = { address: "203.0.113.7" };
  const { body } = await send("POST", "/api/auth/local/register", { body: registration("anna"), ...from });
  const anna = at(body, "user.documentId");
  await send("POST", "/api/auth/local", { body: { ...logIn, password: "wrong" }, ...from });
  await send("POST", "/api/auth/local", { body: { identifier: "Passw0rd-typed-as-name", password: "x" }, ...from });
  const { body: session } = await send("POST", "/api/auth/local", { body: logIn, ...from });
  const change = { currentPassword: password, password: "An0therOne!", passwordConfirmation: "An0therOne!" };
  const jwt = String(at(session, "jwt"));
  const wrong = { ...change, currentPassword: "wrong" };
  await send("POST", "/api/auth/change-password", { body: wrong, token: jwt, ...from });
  await send("POST", "/api/auth/reset-password", { body: { ...change, currentPassword: undefined, code: "wrong" } });
  await send("GET", "/api/auth/github/callback?access_token=wrong");
  await send("GET", "/api/connect/github/callback?code=wrong");
  await send("POST", "/api/auth/change-password", { body: change, token: jwt, ...from });
  const id = at(body, "user.id");
  await send("PUT", `/api/users/${String(id)}`, { body: { blocked: true }, token });
  await send("POST", `/api/users/${String(id)}/invitation`, { body: {}, token });
  await send("DELETE", `/api/users/${String(id)}`, { token });
  const user = { type: "plugin::users-permissions.user", id: anna, name: "anna" };
  const by = { kind: "user", id: anna };
  expect(await log("?action=user,login")).toMatchObject([
    { action: "user.delete", by: { kind: "token", name: expect.stringMatching(/^administrator/) }, subject: user },
    { action: "user.invite", by: { kind: "token" }, subject: user },
    { action: "user.update", subject: user, details: { changed: ["blocked"] } },
    { action: "login.succeed", by },
    { action: "user.password", by, subject: user, address: "203.0.113.7" },
    { action: "login.fail", details: { reason: "This login was not started here, or took too long" } },
    { action: "login.fail", details: { reason: "Invalid or expired access_token" } },
    { action: "login.fail", details: { reason: "Incorrect code provided" }, subject: null },
    { action: "login.fail", details: { reason: "The provided current password is invalid" }, by, subject: user },
    { action: "login.succeed", by },
    { action: "login.fail", subject: null, by: { kind: "public", id: null }, address: "203.0.113.7" },
    { action: "login.fail", subject: user, details: { reason: "Invalid identifier or password" } },
    { action: "login.succeed", by },
    { action: "user.create", by: { kind: "public" }, subject: user },
  ]);

  const permissions = { "api::tag": { controllers: { tag: { find: { enabled: true } } } } };
  await send("POST", "/api/users-permissions/roles", { body: { name: "Guide", type: "guide", permissions }, token });
  const role = services.auth.roles.byType("guide");
  const path = `/api/users-permissions/roles/${role?.documentId}`;
  await send("PUT", path, { body: { name: "Guides", permissions: {} }, token });
  await send("DELETE", path, { token });
  const find = "api::tag.tag.find";
  expect(await log("?action=role,permissions&limit=5")).toMatchObject([
    { action: "role.delete", subject: { id: role?.documentId, name: "Guides" } },
    { action: "permissions.change", subject: { name: "guide" }, details: { revoked: [find] } },
    { action: "role.update", subject: { name: "Guides" }, details: { changed: ["name"] } },
    { action: "permissions.change", subject: { name: "guide" }, details: { granted: [find] } },
    { action: "role.create", subject: { name: "Guide" } },
  ]);

  const made = await send("POST", "/api/articles", { body: { data: { title: "One", slug: "one" } }, token });
  await send("DELETE", `/api/articles/${String(at(made.body, "data.documentId"))}`, { token });
  expect(await log("?action=document.delete")).toMatchObject([
    { subject: { type: "api::article.article", id: at(made.body, "data.documentId") }, details: { locales: ["en"] } },
  ]);
  const given = { data: { name: "site", type: "read-only" } };
  const { body: site } = await send("POST", "/api/api-tokens", { body: given, token });
  await send("DELETE", `/api/api-tokens/${String(at(site, "data.id"))}`, { token });
  expect(await log("?action=token")).toMatchObject([
    { action: "token.revoke", subject: { name: "site" }, by: { kind: "token" } },
    { action: "token.create", subject: { name: "site" }, details: { type: "read-only" } },
  ]);
  const whole = JSON.stringify(await log("?limit=100"));
  expect(whole).not.toContain(String(at(site, "data.secret")));
  for (const secret of [password, "An0therOne!", "typed-as-name", "$2", jwt, token])
    expect(whole).not.toContain(secret);
});

test("a good code of a blocked user is recorded as a failed login of that user", async () => {
  const { send, token, log, database } = await open();
  const { body } = await send("POST", "/api/auth/local/register", { body: registration("anna") });
  const anna = String(at(body, "user.documentId"));
  await send("PUT", `/api/users/${String(at(body, "user.id"))}`, { body: { blocked: true }, token });
  const code = await issueCode(database, "reset-password", anna, 60);
  const reset = { code, password, passwordConfirmation: password };
  expect((await send("POST", "/api/auth/reset-password", { body: reset })).status).toBe(400);
  expect(await log("?action=login.fail")).toMatchObject([
    { subject: { id: anna, name: "anna" }, details: { reason: "Your account has been blocked by an administrator" } },
  ]);
});

test("a deleted file, and what GraphQL and code do, are recorded", async () => {
  const { upload, send, graphql, token, log, services } = await open();
  const { body } = await upload([{ name: "some.txt", type: "text/plain", content: "some" }], token);
  await send("DELETE", `/api/upload/files/${String(at(body, "0.id"))}`, { token });
  expect(await log("?action=file")).toMatchObject([
    { action: "file.delete", by: { kind: "token" }, subject: { type: "file", name: "some.txt" } },
  ]);
  await graphql(`
    mutation {
      login(input: { identifier: "nobody", password: "x" }) {
        jwt
      }
    }
  `);
  const tags = services.documents("api::tag.tag");
  const { documentId } = (await tags.create({ data: { name: "red", slug: "red" } })) ?? {};
  await tags.delete(String(documentId));
  expect(await log("?limit=2")).toMatchObject([
    { action: "document.delete", by: { kind: "code" }, address: null, subject: { id: documentId } },
    { action: "login.fail", address: "192.0.2.1" },
  ]);
});

test("what is rolled back is not recorded", async () => {
  const { services, log } = await open();
  const failing = services.transaction(async ({ documents }) => {
    const made = await documents("api::tag.tag").create({ data: { name: "red", slug: "red" } });
    await documents("api::tag.tag").delete(String(made?.documentId));
    throw new Error("not now");
  });
  await expect(failing).rejects.toThrow("not now");
  expect(await log("?action=document")).toEqual([]);
});

test.each(bothDatabases)("nobody changes or deletes an entry, and only old ones expire, on %s", async (kind) => {
  const { database, services } = await open(kind);
  for (const name of ["one", "two"]) {
    await recordAct(
      database,
      services.recorders,
      { action: "token.create", subject: { type: "token", id: name } },
      system,
    );
  }
  const count = async () => Number((await database.rows("select count(*) from audit_log"))[0]?.[0]);
  const all = await count();
  for (const sql of ["update audit_log set action = 'x'", "delete from audit_log", "truncate audit_log"]) {
    await expect(database.rows(sql)).rejects.toThrow(/can neither be changed nor deleted/);
  }
  await deleteExpired(database, { days: 1 });
  expect(await count()).toBe(all);
  await deleteExpired(database, { days: 1e-12 });
  expect(await count()).toBe(0);
});

test("a flood of wrong passwords is summed up, and takes one statement each at most", async () => {
  const real = performance.now.bind(performance);
  let ahead = 0;
  vi.spyOn(performance, "now").mockImplementation(() => real() + ahead);
  const { send, log, database } = await open();
  const attempt = (number: number) =>
    send("POST", "/api/auth/local", { body: { identifier: "x", password: "y" }, address: `192.0.2.${number % 40}` });
  const sent = vi.spyOn(database, "rows");
  for (let number = 0; number < 60; number++) await attempt(number);
  expect(sent.mock.calls.filter(([sql]) => sql.includes("into audit_log"))).toHaveLength(10);
  ahead = 60_000;
  await attempt(1);
  expect(await log("?action=login.fail&limit=100")).toHaveLength(12);
  expect(await log("?action=login.fail&limit=2")).toMatchObject([
    { details: { reason: expect.any(String) } },
    { details: { count: 50 } },
  ]);
});

test("without an audit log there is no route, and the same statements are sent but for its own", async () => {
  const { database, token, log } = await open();
  const statementsOf = async (config: ConfigInput) => {
    const { database: recorded, statements } = recording(database);
    const { send, services } = await exampleApp(onTestFinished, recorded, config);
    const tags = services.documents("api::tag.tag");
    statements.length = 0;
    const { documentId } = await tags.create({ data: { name: "red", slug: "red" } });
    await tags.delete(documentId);
    await send("POST", "/api/auth/local", { body: logIn });
    const sent = [...statements];
    return { sent, status: (await send("GET", "/api/audit-log", { token })).status };
  };
  const without = await statementsOf({});
  expect(await log("?action=document,login")).toEqual([]);
  expect(without.status).toBe(404);
  const recorded = (await statementsOf({ audit: true })).sent;
  const others = recorded.filter((text) => !text.includes("audit_log"));
  expect(recorded).toHaveLength(others.length + 2);
  expect(without.sent).toHaveLength(others.length);
  expect(without.sent.join()).not.toContain("audit_log");
});

test("read-only tokens do not read the log, others need its action, and wrong parameters are named", async () => {
  const { database, send, token } = await open();
  const readOnly = { name: "reader", type: "read-only", permissions: [], expiresAt: null } as const;
  const reader = await createApiToken(database, secrets.tokenSalt, readOnly);
  const statusWith = async (given: string) => (await send("GET", "/api/audit-log", { token: given })).status;
  expect([await statusWith(reader), await statusWith(token)]).toEqual([403, 200]);
  const messageOf = async (query: string) =>
    at((await send("GET", `/api/audit-log${query}`, { token: token })).body, "error.message");
  expect(await messageOf("?action=logn")).toContain('Did you mean "login"?');
  expect(await messageOf("?since=yesterday")).toContain("since");
  expect(await messageOf("?before=1")).toContain("before");
});

test("pages of the log follow one another by their cursors", async () => {
  const { database, services, send, token } = await open();
  for (let number = 0; number < 5; number++) {
    await recordAct(database, services.recorders, { action: "token.create", details: { number } }, system);
  }
  const numbers: unknown[] = [];
  let after = "";
  do {
    const { body } = await send("GET", `/api/audit-log?action=token&limit=2${after}`, { token });
    numbers.push([at(body, "data.0.details.number"), at(body, "data.1.details.number")]);
    after = at(body, "meta.next") === null ? "" : `&after=${String(at(body, "meta.next"))}`;
  } while (after !== "");
  expect(numbers).toEqual([
    [4, 3],
    [2, 1],
    [0, undefined],
  ]);
});

test("a login that cannot be recorded is refused", async () => {
  const { database, send } = await open();
  await send("POST", "/api/auth/local/register", { body: registration("anna") });
  await database.script("alter table audit_log rename to audit_gone");
  expect((await send("POST", "/api/auth/local", { body: logIn })).status).toBe(500);
});
