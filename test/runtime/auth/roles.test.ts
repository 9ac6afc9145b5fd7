import { expect, test } from "vitest";
import type { Caller } from "../../../runtime/access/caller.ts";
import { issueCode } from "../../../runtime/accounts/codes.ts";
import { ForbiddenError } from "../../../runtime/base/errors.ts";
import type { Hooks } from "../../../runtime/documents/hooks.ts";
import {
  administrator,
  at,
  type AuthApp,
  authApp,
  password,
  registration,
  textAt,
  usersDatabase,
} from "../../support/auth-app.ts";
import { usersApplication } from "../../support/users-application.ts";

const shared = await usersDatabase();
const sharedApp = (): Promise<AuthApp> => authApp({ database: shared });

test("a role is made, shown, changed and deleted, and its users become public", async () => {
  const app = await sharedApp();
  const token = await administrator(app);
  const permissions = { "api::article": { controllers: { article: { find: { enabled: true } } } } };
  const made = await app.send("POST", "/api/users-permissions/roles", {
    token,
    body: { name: "Chief Editor", description: "Edits", permissions },
  });
  expect(made.body).toEqual({ ok: true });
  const { body: listed } = await app.send("GET", "/api/users-permissions/roles", { token });
  expect(listed).toEqual({
    roles: [
      expect.objectContaining({ type: "authenticated", name: "Authenticated", nb_users: 0 }),
      expect.objectContaining({ type: "public" }),
      expect.objectContaining({ type: "chief_editor", description: "Edits", nb_users: 0 }),
    ],
  });
  const id = Number(at(listed, "roles.2.id"));
  const shown = (await app.send("GET", `/api/users-permissions/roles/${id}`, { token })).body;
  expect(at(shown, "role.permissions.api::article.controllers.article")).toMatchObject({
    find: { enabled: true, policy: "" },
    create: { enabled: false, policy: "" },
  });
  const user = await app.send("POST", "/api/users", { token, body: { ...registration("editor"), role: id } });
  expect(user.status).toBe(201);
  const login = await app.send("POST", "/api/auth/local", {
    body: { identifier: "editor", password: registration("editor").password },
  });
  const jwt = textAt(login.body, "jwt");
  expect((await app.send("GET", "/api/articles", { token: jwt })).status).toBe(200);
  const body = { permissions: { "api::article": { controllers: { article: { find: { enabled: false } } } } } };
  await app.send("PUT", `/api/users-permissions/roles/${id}`, { token, body });
  expect((await app.send("GET", "/api/articles", { token: jwt })).status).toBe(403);
  expect((await app.send("DELETE", `/api/users-permissions/roles/${id}`, { token })).body).toEqual({ ok: true });
  expect((await app.send("GET", "/api/auth/sessions", { token: jwt })).status).toBe(403);
  const role = await app.send("GET", `/api/users/${String(at(user.body, "id"))}?populate=role`, { token });
  expect(at(role.body, "role.type")).toBe("public");
});

const refuse = ({ data }: { data: Readonly<Record<string, unknown>> }): void => {
  if (data["name"] === "Refused") throw new ForbiddenError("Not this one");
};

test("writing a role runs its hooks, and one that refuses leaves nothing of it", async () => {
  const seen: string[] = [];
  const note =
    (name: string) =>
    ({ caller }: { caller: Caller }) =>
      void seen.push(`${name} by ${caller.kind}`);
  const hooks = {
    beforeCreate: refuse,
    afterCreate: note("create"),
    beforeUpdate: refuse,
    afterUpdate: note("update"),
    afterDelete: note("delete"),
  };
  const extensions = { "plugin::users-permissions.role": { hooks } };
  const app = await authApp({ database: shared, application: { ...usersApplication, extensions } });
  const token = await administrator(app);
  const send = async (method: string, path: string, body?: object) =>
    (await app.send(method, `/api/users-permissions/roles${path}`, { token, ...(body ? { body } : {}) })).status;
  const permissions = { "api::article": { controllers: { article: { find: { enabled: true } } } } };
  expect(await send("POST", "", { name: "Refused", permissions })).toBe(403);
  expect(app.services.auth.roles.byType("refused")).toBeUndefined();
  expect(await send("POST", "", { name: "Hooked", permissions })).toBe(200);
  const id = app.services.auth.roles.byType("hooked")?.id;
  expect(await send("PUT", `/${id}`, { name: "Refused", permissions: {} })).toBe(403);
  expect([...(app.services.auth.roles.byType("hooked")?.actions ?? [])]).toEqual(["api::article.article.find"]);
  expect(await send("PUT", `/${id}`, { description: "x", permissions: {} })).toBe(200);
  expect(app.services.auth.roles.byType("hooked")?.actions.size).toBe(0);
  expect(await send("DELETE", `/${id}`)).toBe(200);
  expect(seen).toEqual(["create by token", "update by token", "delete by token"]);
});

test("hooks of users are told who writes, whose code stays good where a hook refuses", async () => {
  const seen: string[] = [];
  const refused = new Set<unknown>();
  const note =
    (name: string) =>
    ({ caller }: { caller: Caller }) =>
      void seen.push(`${name} by ${caller.userDocumentId ?? caller.kind}`);
  const hooks: Hooks = {
    beforeUpdate({ data }) {
      if (Object.keys(data).some((name) => refused.has(name))) throw new ForbiddenError("Not now");
    },
    afterCreate: note("create"),
    afterUpdate: note("update"),
    afterDelete: note("delete"),
  };
  const extensions = { "plugin::users-permissions.user": { hooks } };
  const app = await authApp({ database: shared, application: { ...usersApplication, extensions } });
  const told = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await app.send(method, `/api${path}`, { ...(body ? { body } : {}), ...(token ? { token } : {}) });
    return [answer.status, at(answer.body, "jwt"), seen.splice(0)] as const;
  };
  const token = await administrator(app);
  const [status, jwt, created] = await told("POST", "/auth/local/register", registration("told"));
  expect([status, created]).toEqual([200, ["create by public"]]);
  const own = String(jwt);
  const { body: me } = await app.send("GET", "/api/users/me", { token: own });
  const changed = { currentPassword: password, password: "another-password", passwordConfirmation: "another-password" };
  expect((await told("POST", "/auth/change-password", changed, own))[2]).toEqual([
    `update by ${textAt(me, "documentId")}`,
  ]);
  expect((await told("PUT", `/users/${String(at(me, "id"))}`, { username: "told-2" }, token))[2]).toEqual([
    "update by token",
  ]);
  const confirmation = await issueCode(app.database, "confirm-email", textAt(me, "documentId"), 60);
  refused.add("confirmed");
  expect((await told("GET", `/auth/email-confirmation?confirmation=${confirmation}`))[0]).toBe(403);
  refused.clear();
  expect((await told("GET", `/auth/email-confirmation?confirmation=${confirmation}`))[2]).toEqual(["update by public"]);
  expect((await told("DELETE", `/users/${String(at(me, "id"))}`, undefined, token))[2]).toEqual(["delete by token"]);
});

test("users who become public with the end of their role are written with their hooks, and one that refuses keeps the role", async () => {
  const seen: unknown[] = [];
  let isRefused = true;
  const hooks: Hooks = {
    beforeUpdate({ documentId }) {
      if (isRefused) throw new ForbiddenError("Not this one");
      seen.push(["before", documentId]);
    },
    afterUpdate: ({ document }) => void seen.push(["after", document["username"]]),
  };
  const extensions = { "plugin::users-permissions.user": { hooks } };
  const app = await authApp({ database: shared, application: { ...usersApplication, extensions } });
  const token = await administrator(app);
  expect((await app.send("POST", "/api/users-permissions/roles", { token, body: { name: "Passing" } })).status).toBe(
    200,
  );
  const id = app.services.auth.roles.byType("passing")?.id;
  const body = { ...registration("passing"), role: id };
  const user = await app.send("POST", "/api/users", { token, body });
  const roleOf = async () =>
    at((await app.send("GET", `/api/users/${String(at(user.body, "id"))}?populate=role`, { token })).body, "role.type");
  const remove = async () => (await app.send("DELETE", `/api/users-permissions/roles/${id}`, { token })).status;
  expect(await remove()).toBe(403);
  expect([await roleOf(), seen]).toEqual(["passing", []]);
  isRefused = false;
  expect(await remove()).toBe(200);
  expect(await roleOf()).toBe("public");
  expect(seen).toEqual([
    ["before", at(user.body, "documentId")],
    ["after", "passing"],
  ]);
});

test.each([
  ["POST", "", {}, 400, "Request body cannot be empty"],
  ["GET", "/999999", undefined, 404, "Role not found"],
  [
    "POST",
    "",
    { name: "X", permissions: { "api::nope": { controllers: { nope: { find: { enabled: true } } } } } },
    400,
    'There is no action "api::nope.nope.find"',
  ],
])("%s of a role%s with %j is refused", async (method, path, body, status, message) => {
  const app = await sharedApp();
  const token = await administrator(app);
  const answer = await app.send(method, `/api/users-permissions/roles${path}`, { token, ...(body ? { body } : {}) });
  expect(answer.status).toBe(status);
  expect(at(answer.body, "error.message")).toBe(message);
});

test("the public role cannot be deleted", async () => {
  const app = await sharedApp();
  const token = await administrator(app);
  const id = app.services.auth.roles.byType("public")?.id;
  const answer = await app.send("DELETE", `/api/users-permissions/roles/${id}`, { token });
  expect(answer.body).toMatchObject({ error: { status: 400, message: "Cannot delete public role" } });
});

test("permissions that are read again are the same objects, so that kept answers hold on, unless they have changed", async () => {
  const app = await sharedApp();
  const { roles } = app.services.auth;
  const known = new Map(roles.all().map(({ type, can }) => [type, can]));
  await roles.changed();
  expect(new Map(roles.all().map(({ type, can }) => [type, can]))).toEqual(known);
  const token = await administrator(app);
  const id = Number(roles.byType("authenticated")?.id);
  const permissions = { "api::article": { controllers: { article: { findOne: { enabled: true } } } } };
  await app.send("PUT", `/api/users-permissions/roles/${id}`, { token, body: { permissions } });
  expect(roles.byType("public")?.can).toBe(known.get("public"));
  expect(roles.byType("authenticated")?.can).not.toBe(known.get("authenticated"));
  expect(roles.byType("authenticated")?.can("api::article.article.findOne")).toBe(true);
});
