import { expect, onTestFinished, test } from "vitest";
import { applyPermissions, planPermissions } from "../../../runtime/accounts/roles/permission-plan.ts";
import { createApiToken } from "../../../runtime/accounts/tokens/token-store.ts";
import { grantableActions } from "../../../runtime/app/grantable-actions.ts";
import { ForbiddenError } from "../../../runtime/base/errors.ts";
import type { Hooks } from "../../../runtime/documents/hooks.ts";
import { at, type AuthApp, authApp, registration, textAt, usersDatabase } from "../../support/auth-app.ts";
import { bothDatabases, recording } from "../../support/database.ts";
import { deferred } from "../../support/deferred.ts";
import { secrets } from "../../support/services.ts";
import { usersApplication } from "../../support/users-application.ts";

const shared = await usersDatabase();
const sharedApp = (): Promise<AuthApp> => authApp({ database: shared });

const find = "api::article.article.find";
const apply = async (app: AuthApp, declared: Record<string, readonly string[]>): Promise<void> => {
  const { roles } = app.services.auth;
  await applyPermissions(
    app.database,
    roles,
    planPermissions(declared, roles.all(), grantableActions(usersApplication)),
  );
};
const publicStatus = async (app: AuthApp): Promise<number> => (await app.send("GET", "/api/articles")).status;
const administrator = async (app: AuthApp): Promise<string> => {
  const name = `administrator ${Math.random()}`;
  return createApiToken(app.database, secrets.tokenSalt, {
    name,
    type: "full-access",
    permissions: [],
    expiresAt: null,
  });
};

test("the built-in roles are made once, with their defaults, even when two servers start at once", async () => {
  const database = await usersDatabase("postgres", onTestFinished);
  const [app] = await Promise.all([authApp({ database }), authApp({ database })]);
  await authApp({ database });
  const roles = app.services.auth.roles.all().map(({ type }) => type);
  expect(roles).toEqual(["authenticated", "public"]);
  const actions = [...(app.services.auth.roles.byType("public")?.actions ?? [])].sort();
  expect(actions).toEqual(
    [
      "callback",
      "connect",
      "emailConfirmation",
      "forgotPassword",
      "refresh",
      "register",
      "resetPassword",
      "sendEmailConfirmation",
    ].map((action) => `plugin::users-permissions.auth.${action}`),
  );
});

test.each(bothDatabases)("a change of permissions holds at once, in every process, on %s", async (kind) => {
  const database = await usersDatabase(kind, onTestFinished);
  const one = await authApp({ database });
  const other = await authApp({ database });
  expect(await publicStatus(one)).toBe(403);
  await apply(one, { public: [find] });
  expect(await publicStatus(one)).toBe(200);
  await expect.poll(() => publicStatus(other)).toBe(200);
  await apply(one, { public: [] });
  expect(await publicStatus(one)).toBe(403);
  await expect.poll(() => publicStatus(other)).toBe(403);
});

test("an unknown action or role is refused with the nearest known one", async () => {
  const app = await sharedApp();
  await expect(apply(app, { public: ["api::article.article.fnd"], publik: [] })).rejects.toThrow(
    `There is no action "api::article.article.fnd" (role "public"). Did you mean "${find}"?\n` +
      'There is no role "publik". Did you mean "public"?',
  );
});

test("declared permissions replace what was granted, keep the defaults, and can take a default away", async () => {
  const app = await sharedApp();
  const register = "plugin::users-permissions.auth.register";
  await apply(app, { public: [find] });
  await apply(app, { public: ["api::article.article.findOne", `-${register}`] });
  const actions = app.services.auth.roles.byType("public")?.actions ?? new Set();
  expect(actions).toContain("api::article.article.findOne");
  expect(actions).not.toContain(find);
  expect(actions).toContain("plugin::users-permissions.auth.callback");
  expect(actions).not.toContain(register);
  const answer = await app.send("POST", "/api/auth/local/register", { body: registration("nobody") });
  expect(answer.status).toBe(403);
});

test("what has been applied leaves nothing to change", async () => {
  const app = await sharedApp();
  const declared = { public: [find], authenticated: [find] };
  await apply(app, declared);
  expect(planPermissions(declared, app.services.auth.roles.all(), grantableActions(usersApplication))).toEqual([]);
});

test("permissions of a public caller and of a user cost no statement", async () => {
  const recorded = recording(await usersDatabase("pglite", onTestFinished));
  const app = await authApp({ database: recorded.database });
  await apply(app, { public: [find], authenticated: [find] });
  const registered = await app.send("POST", "/api/auth/local/register", { body: registration("hot") });
  const token = textAt(registered.body, "jwt");
  const request = (options: object = {}) => app.send("GET", "/api/articles", options);
  for (const options of [{}, { token }]) await request(options);
  recorded.statements.length = 0;
  for (const options of [{}, { token }]) expect((await request(options)).status).toBe(200);
  expect(recorded.statements).toEqual([]);
});

test("an action of the user's own routes can be granted", async () => {
  const { can } = await import("../../../runtime/http/rest/index.ts");
  const extensions = {
    "api::article.article": {
      routes: (
        router: Parameters<NonNullable<(typeof usersApplication.extensions)["api::article.article"]["routes"]>>[0],
      ) => {
        router.get("/articles/newest", can("api::article.article.newest"), (c) => c.json({ data: null }));
      },
    },
  } as const;
  const application = { ...usersApplication, extensions };
  expect(grantableActions(application)).toContain("api::article.article.newest");
  expect(grantableActions(usersApplication)).not.toContain("api::article.article.newest");
  const app = await authApp({ database: shared, application });
  expect((await app.send("GET", "/api/articles/newest")).status).toBe(403);
  const { roles } = app.services.auth;
  const changes = planPermissions(
    { public: ["api::article.article.newest"] },
    roles.all(),
    grantableActions(application),
  );
  await applyPermissions(app.database, roles, changes);
  expect((await app.send("GET", "/api/articles/newest")).status).toBe(200);
});

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
  const note = (name: string) => () => void seen.push(name);
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
  expect([...(app.services.auth.roles.byType("hooked")?.actions ?? [])]).toEqual([find]);
  expect(await send("PUT", `/${id}`, { description: "x", permissions: {} })).toBe(200);
  expect(app.services.auth.roles.byType("hooked")?.actions.size).toBe(0);
  expect(await send("DELETE", `/${id}`)).toBe(200);
  expect(seen).toEqual(["create", "update", "delete"]);
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

test("answers that were overtaken by a change are not remembered", async () => {
  const database = await usersDatabase("pglite", onTestFinished);
  const app = await authApp({ database });
  const registered = await app.send("POST", "/api/auth/local/register", { body: registration("racer") });
  const token = textAt(registered.body, "jwt");
  const id = Number(at(registered.body, "user.id"));
  const gate = deferred();
  const held = await authApp({
    database: {
      ...database,
      async rows(sql, parameters) {
        const rows = await database.rows(sql, parameters);
        if (sql.includes("user_token_versions")) await gate.promise;
        return rows;
      },
    },
  });
  const slow = held.send("GET", "/api/users/me", { token });
  await app.send("PUT", `/api/users/${id}`, { token: await administrator(app), body: { blocked: true } });
  gate.resolve();
  await slow;
  expect((await held.send("GET", "/api/users/me", { token })).status).toBe(401);
});
