import { expect, test } from "vitest";
import application from "../../../generated/index.ts";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { at, authApp, textAt } from "../../support/auth-app.ts";
import { freshDatabase } from "../../support/database.ts";
import { secrets } from "../../support/services.ts";

const database = await freshDatabase("postgres");
await migrate(database, "generated/migrations");
const app = await authApp({ database, application });
const full = await createApiToken(database, secrets.tokenSalt, {
  name: "full",
  type: "full-access",
  permissions: [],
  expiresAt: null,
});

let articles = 0;

/** `create` publishes a document and returns its path. */
const kinds = [
  {
    kind: "a collection",
    uid: "api::article.article",
    attribute: "title",
    create: async (): Promise<string> => {
      articles += 1;
      const body = { data: { title: "first", slug: `article-${articles}` } };
      const created = await app.send("POST", "/api/articles", { token: full, body });
      return `/api/articles/${textAt(created.body, "data.documentId")}`;
    },
  },
  {
    kind: "a single type",
    uid: "api::homepage.homepage",
    attribute: "title",
    create: async (): Promise<string> => {
      await app.send("PUT", "/api/homepage", { token: full, body: { data: { title: "first" } } });
      return "/api/homepage";
    },
  },
];

test.each(kinds)("actions of $kind publish, withdraw and restore", async ({ attribute, create }) => {
  const path = await create();
  const act = (action: string) => app.send("POST", `${path}/actions/${action}`, { token: full });
  const read = async (status: string) =>
    at((await app.send("GET", `${path}?status=${status}`, { token: full })).body, `data.${attribute}`);
  const edit = (value: string) =>
    app.send("PUT", `${path}?status=draft`, { token: full, body: { data: { [attribute]: value } } });

  await edit("second");
  expect(await read("published")).toBe("first");
  const discarded = await act("discard-draft");
  expect(discarded.body).toMatchObject({ data: { [attribute]: "first", publishedAt: null }, meta: {} });
  await edit("third");
  const published = await act("publish");
  expect(published.status).toBe(200);
  expect(published.body).toMatchObject({ data: { [attribute]: "third", publishedAt: expect.any(String) } });
  expect(await read("published")).toBe("third");
  expect((await act("unpublish")).body).toMatchObject({ data: { [attribute]: "third", publishedAt: null } });
  expect((await app.send("GET", path, { token: full })).status).toBe(404);
  expect(await read("draft")).toBe("third");
  expect((await act("discard-draft")).status).toBe(400);
});

test.each(kinds)("each action of $kind needs its own permission", async ({ uid, create }) => {
  const path = await create();
  const needed = {
    publish: ["publish"],
    unpublish: ["unpublish"],
    "discard-draft": ["discardDraft"],
  };
  const others = ["find", "findOne", "create", "update", "delete", "readDraft"].map((action) => `${uid}.${action}`);
  for (const [segment, actions] of Object.entries(needed)) {
    const token = (permissions: readonly string[]) =>
      createApiToken(database, secrets.tokenSalt, {
        name: `${uid} ${segment} ${permissions.length}`,
        type: "custom",
        permissions,
        expiresAt: null,
      });
    const send = async (permissions: readonly string[]) =>
      (await app.send("POST", `${path}/actions/${segment}`, { token: await token(permissions) })).status;
    expect((await app.send("POST", `${path}/actions/${segment}`)).status).toBe(403);
    expect(await send(others)).toBe(403);
    await app.send("POST", `${path}/actions/publish`, { token: full });
    expect(await send(actions.map((action) => `${uid}.${action}`))).toBe(200);
  }
});

test("actions on a document that is not there are a 404", async () => {
  await app.send("DELETE", "/api/homepage?locale=*", { token: full });
  for (const path of ["/api/homepage", "/api/articles/nothing"]) {
    for (const action of ["publish", "unpublish", "discard-draft"]) {
      expect((await app.send("POST", `${path}/actions/${action}`, { token: full })).status).toBe(404);
    }
  }
});

test("types without drafts have no actions", async () => {
  expect((await app.send("POST", "/api/global/actions/publish", { token: full })).status).toBe(405);
});
