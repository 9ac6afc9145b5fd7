import { expect, test } from "vitest";
import { can as rule } from "../../../runtime/access/row-rules.ts";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import { applyPermissions, planPermissions } from "../../../runtime/accounts/roles/permission-plan.ts";
import type { ContentTypeModule } from "../../../runtime/app/application.ts";
import { grantableActions } from "../../../runtime/app/grantable-actions.ts";
import { configSchema } from "../../../runtime/config/config.ts";
import { can, create, find, router } from "../../../runtime/http/rest/index.ts";
import { at, authApp, registration, textAt, usersDatabase } from "../../support/auth-app.ts";
import { secrets } from "../../support/services.ts";
import { usersApplication } from "../../support/users-application.ts";

const article = usersApplication.contentTypes["api::article.article"];
if (!article) throw new Error("The application declares articles.");
const routes = router()
  .get("/articles", can("api::article.article.find"), find(article.type))
  .post("/articles", can("api::article.article.create"), create(article.type));
const application = {
  ...usersApplication,
  contentTypes: {
    ...usersApplication.contentTypes,
    "api::article.article": { ...article, routes } satisfies ContentTypeModule,
  },
};

const database = await usersDatabase();
const app = await authApp({
  database,
  application,
  config: {
    fields: {
      public: { "api::article.article": ["owner"], "plugin::users-permissions.user": ["username"] },
      "token:clerk": { "plugin::users-permissions.user": ["username", "email", "password"] },
      "token:website": { "api::article.article": ["owner"] },
      "token:web": {},
      "token:desk": { "api::article.article": { read: ["title"], write: ["owner"] } },
      "token:box": { "api::article.article": { write: ["title"] } },
      pubic: {},
    },
    permissions: {
      "token:window": ["find", "create"].map((name) =>
        rule(`api::article.article.${name}`, { where: () => ({ title: { $ne: "Hidden title" } }) }),
      ),
      "token:mine": [rule("api::article.article.find", { where: ({ user }) => ({ owner: { id: user.id } }) })],
      "token:widow": [rule("api::article.article.find", { where: () => ({ title: "x" }) })],
    },
  },
});
const permissions = [
  "api::article.article.find",
  "api::article.article.create",
  "plugin::users-permissions.user.find",
  "plugin::users-permissions.role.find",
];
const { roles } = app.services.auth;
await applyPermissions(
  database,
  roles,
  planPermissions({ public: permissions, authenticated: permissions }, roles.all(), grantableActions(application, {})),
);
const registered = await app.send("POST", "/api/auth/local/register", { body: registration("author") });
const token = textAt(registered.body, "jwt");
const owner = textAt(registered.body, "user.documentId");
const document = "a23456789012345678901234";
await database.rows("insert into documents (document_id, type) values ($1, 'api::article.article')", [document]);
await database.rows(
  "insert into articles (document_id, title, owner_document_id, created_at, updated_at, published_at) values ($1, 'Hidden title', $2, now(), now(), now())",
  [document, owner],
);

const write = (data: object, who: object = {}) => app.send("POST", "/api/articles", { ...who, body: { data } });
const get = (query: string, who: object = {}) => app.send("GET", `/api/articles?${query}`, who);

test("an attribute that a role's list leaves out is in no answer", async () => {
  const answer = await get("populate[owner][populate]=*");
  const system = ["id", "documentId", "createdAt", "updatedAt", "publishedAt"];
  expect(Object.keys(Object(at(answer.body, "data.0"))).sort()).toEqual([...system, "owner"].sort());
  expect(Object.keys(Object(at(answer.body, "data.0.owner"))).sort()).toEqual([...system, "username"].sort());
});

test.each([
  "fields=title",
  "sort=title",
  "filters[title][$startsWith]=H",
  "filters[$not][title]=x",
  "filters[owner][email][$contains]=a",
  "sort=owner.email",
  "populate[owner][fields]=email",
  "populate[owner][filters][email]=x",
  "filters[owner][role][name]=x",
])("an attribute that a role's list leaves out cannot be asked for: %s", async (query) => {
  const answer = await get(query);
  expect(answer.status).toBe(400);
  expect(at(answer.body, "error.message")).toMatch(/^Invalid key /);
});

test("a search does not look into attributes that a role's list leaves out", async () => {
  expect(at((await get("_q=Hidden")).body, "data")).toEqual([]);
  expect(at((await get("_q=Hidden", { token })).body, "data")).toHaveLength(1);
});

test("an attribute that a role's list leaves out cannot be written, and is not in the answer to a write", async () => {
  expect((await write({ title: "x" })).body).toMatchObject({
    error: { status: 400, message: "Invalid key title", details: { key: "title", path: "title", source: "body" } },
  });
  const written = await write({});
  expect(written.status).toBe(201);
  expect(at(written.body, "data")).not.toHaveProperty("title");
  expect(at((await write({ title: "x" }, { token })).body, "data.title")).toBe("x");
});

test("a role without lists sees everything", async () => {
  const answer = await get("fields=title&populate[owner][fields]=email", { token });
  expect(at(answer.body, "data.0")).toMatchObject({ title: "Hidden title", owner: { email: "author@example.test" } });
});

const apiToken = (name: string) =>
  createApiToken(database, secrets.tokenSalt, { name, type: "full-access", permissions: [], expiresAt: null });

test("a list holds for the API token that it is for, of any type, and for no other", async () => {
  const website = await apiToken("website");
  expect(at((await get("", { token: website })).body, "data.0")).not.toHaveProperty("title");
  expect((await get("sort=title", { token: website })).status).toBe(400);
  expect((await write({ title: "x" }, { token: website })).status).toBe(400);
  expect(at((await get("", { token: await apiToken("importer") })).body, "data.0.title")).toBe("Hidden title");
});

const hiddenTotal = async (by: string) =>
  at((await get("filters[title]=Hidden title", { token: by })).body, "meta.pagination.total");

test("rules hold for the API token that they are for, of any type, and for no other", async () => {
  const [window, mine] = [await apiToken("window"), await apiToken("mine")];
  expect(await Promise.all([window, mine, await apiToken("another")].map(hiddenTotal))).toEqual([0, 0, 1]);
  expect((await write({ title: "Hidden title" }, { token: window })).status).toBe(403);
  expect((await write({ title: "y" }, { token: window })).status).toBe(201);
});

test("rules for an API token that does not exist are told, and actions for one are refused", () => {
  expect(app.logged()).toContain('permissions: there is no API token \\"widow\\".');
  expect(() => configSchema.parse({ permissions: { "token:window": ["api::article.article.find"] } })).toThrow(
    "token:NAME takes rules alone",
  );
});

test("what may be read and what may be written have lists of their own", async () => {
  const [desk, box] = [await apiToken("desk"), await apiToken("box")];
  expect((await write({ title: "x" }, { token: desk })).body).toMatchObject({
    error: { message: "Invalid key title" },
  });
  expect((await get("filters[owner][id][$notNull]=true", { token: desk })).status).toBe(400);
  const { status, body } = await write({ owner }, { token: desk });
  expect([status, at(body, "data.title")]).toEqual([201, null]);
  expect(at((await get("populate=*", { token: desk })).body, "data.0")).not.toHaveProperty("owner");
  expect((await write({ owner }, { token: box })).status).toBe(400);
  const put = await write({ title: "y" }, { token: box });
  expect(put.body).toMatchObject({ data: { title: "y" } });
  expect(at((await get("populate=owner", { token: box })).body, "data.0")).toHaveProperty("owner");
});

test("a list that is for nobody is told when the server starts", () => {
  expect(app.logged()).toContain('fields: there is no API token \\"web\\".');
  expect(app.logged()).toContain('fields: there is no role \\"pubic\\". Did you mean \\"public\\"?');
});

test("a list holds for routes of users too", async () => {
  const listed = await app.send("GET", "/api/users");
  expect(at(listed.body, "0")).not.toHaveProperty("email");
  expect((await app.send("GET", "/api/users?filters[email]=author@example.test")).status).toBe(400);
});

test("a role that a list leaves out can be given to nobody", async () => {
  const clerk = await apiToken("clerk");
  const role = roles.byType("authenticated")?.documentId;
  const refused = { error: { message: "Invalid key role", details: { key: "role", path: "role", source: "body" } } };
  const id = at(registered.body, "user.id");
  const changed = await app.send("PUT", `/api/users/${id}`, { token: clerk, body: { username: "writer", role } });
  expect(changed.body).toMatchObject(refused);
  const made = await app.send("POST", "/api/users", { token: clerk, body: { ...registration("made"), role } });
  expect(made.body).toMatchObject(refused);
  const named = await app.send("PUT", `/api/users/${id}`, { token: clerk, body: { username: "writer" } });
  expect(named.body).toMatchObject({ username: "writer" });
});

test.each([
  [
    { public: { "api::artcle.article": [] } },
    'fields.public: there is no content type "api::artcle.article". Did you mean "api::article.article"?',
  ],
  [
    { public: { "api::article.article": ["titel"] } },
    'fields.public: "api::article.article" has no attribute "titel". Did you mean "title"?',
  ],
])("the lists %j are refused when the server starts", async (fields, message) => {
  await expect(authApp({ database, application, config: { fields } })).rejects.toThrow(message);
});
