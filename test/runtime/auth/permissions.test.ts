import { expect, onTestFinished, test } from "vitest";
import { applyPermissions, planPermissions } from "../../../runtime/accounts/roles/permission-plan.ts";
import { grantableActions } from "../../../runtime/app/grantable-actions.ts";
import {
  administrator,
  at,
  type AuthApp,
  authApp,
  registration,
  textAt,
  usersDatabase,
} from "../../support/auth-app.ts";
import { bothDatabases, recording } from "../../support/database.ts";
import { deferred } from "../../support/deferred.ts";
import { usersApplication } from "../../support/users-application.ts";

const shared = await usersDatabase();
const sharedApp = (): Promise<AuthApp> => authApp({ database: shared });

const find = "api::article.article.find";
const apply = async (app: AuthApp, declared: Record<string, readonly string[]>): Promise<void> => {
  const { roles } = app.services.auth;
  await applyPermissions(
    app.database,
    roles,
    planPermissions(declared, roles.all(), grantableActions(usersApplication, {})),
  );
};
const publicStatus = async (app: AuthApp): Promise<number> => (await app.send("GET", "/api/articles")).status;

test("the built-in roles are made once, with their defaults, even when two servers start at once", async () => {
  const database = await usersDatabase("postgres", onTestFinished);
  const [app] = await Promise.all([authApp({ database }), authApp({ database })]);
  await authApp({ database });
  expect(await database.rows("select count(*)::int from up_users")).toEqual([[0]]);
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
  expect(planPermissions(declared, app.services.auth.roles.all(), grantableActions(usersApplication, {}))).toEqual([]);
});

test("permissions of a public caller and of a user cost no statement", async () => {
  const recorded = recording(await usersDatabase("postgres", onTestFinished));
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
  expect(grantableActions(application, {})).toContain("api::article.article.newest");
  expect(grantableActions(usersApplication, {})).not.toContain("api::article.article.newest");
  const app = await authApp({ database: shared, application });
  expect((await app.send("GET", "/api/articles/newest")).status).toBe(403);
  const { roles } = app.services.auth;
  const changes = planPermissions(
    { public: ["api::article.article.newest"] },
    roles.all(),
    grantableActions(application, {}),
  );
  await applyPermissions(app.database, roles, changes);
  expect((await app.send("GET", "/api/articles/newest")).status).toBe(200);
});

test("answers that were overtaken by a change are not remembered", async () => {
  const database = await usersDatabase("postgres", onTestFinished);
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
