/** What an application changes of generated routes: who passes, what runs around them, what they add to queries. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Handler } from "hono";
import { afterAll, expect, test } from "vitest";
import application from "../../generated/index.ts";
import { createApiToken } from "../../runtime/accounts/api-tokens.ts";
import type { Application } from "../../runtime/app/application.ts";
import { defineExtension } from "../../runtime/app/extension.ts";
import { createHonoApp } from "../../runtime/app/server.ts";
import { ForbiddenError } from "../../runtime/base/errors.ts";
import { migrate } from "../../runtime/database/migrations/migrator.ts";
import { defineApp } from "../../runtime/graphql/extension/app.ts";
import { can, everyone } from "../../runtime/http/rest/index.ts";
import { authApp } from "../support/auth-app.ts";
import { freshDatabase } from "../support/database.ts";
import { applicationOf, secrets, testServices } from "../support/services.ts";

const calls: string[] = [];
/** What the route of authors adds. */
let added = (): object => ({
  populate: { articles: { fields: ["title"] } },
  sort: "name:desc",
  filters: { email: { $notNull: true } },
});
const extensions: Application["extensions"] = {
  "api::tag.tag": defineExtension<"api::tag.tag">({
    rest: {
      policies: {
        "*": ["isKnown", ({ c }) => void calls.push(`policy ${c.req.method}`)],
        delete: [{ name: "isNot", config: "anybody" }],
      },
      middlewares: {
        find: [
          async (c, next) => {
            calls.push(`before ${c.get("caller").kind}`);
            await next();
            c.header("X-Tags", "many");
          },
        ],
      },
      handlers: {
        find: (next) => async (c) => {
          const answer = await next(c);
          const body: object = await answer.json();
          return c.json({ ...body, extra: await c.get("services").documents("api::tag.tag").count() });
        },
        findOne: () => (c) => c.json({ instead: c.req.param("documentId") }),
      },
    },
    routes(router) {
      router.use("/upload", async (c, next) => {
        if (c.get("caller").kind === "public" || c.req.query("no") !== undefined) throw new ForbiddenError("Not here");
        await next();
      });
      // As code that is not checked may do.
      router.get("/tags/nothing", everyone(), (() => {}) as unknown as Handler);
      router.get("/tags/object", everyone(), (() => ({ data: 1 })) as unknown as Handler);
      router.get("/tags/mine", can("api::tag.tag.mine"), (c) => c.json({ kind: c.get("caller").kind }));
    },
  }),
  "api::author.author": defineExtension<"api::author.author">({
    rest: {
      queries: {
        find: () => added(),
        create: { fields: ["name"] },
      },
    },
  }),
};
const app = defineApp({
  policies: {
    isKnown: ({ state }) => state.caller.kind !== "public",
    isNot: (_on, config) => config !== "anybody",
  },
  rest: { middlewares: { "*": [async (c, next) => (calls.push(`all ${c.req.path}`), next())] } },
});

const database = await freshDatabase("postgres");
await migrate(database, "generated/migrations");
const root = await mkdtemp(path.join(tmpdir(), "galley-"));
afterAll(() => rm(root, { recursive: true }));
const server = await authApp({ database, root, application: { ...application, extensions, app } });
const permission = { name: "full", type: "full-access", permissions: [], expiresAt: null } as const;
const token = await createApiToken(database, secrets.tokenSalt, permission);
const { documents } = server.services;
const send = (method: string, path: string, body?: object) =>
  server.send(method, `/api${path}`, { token, ...(body && { body }) });
const tag = await documents("api::tag.tag").create({ data: { name: "Tea", slug: "tea" } });

test("policies and middlewares run behind the permission, those of all types first, and handlers are wrapped", async () => {
  calls.length = 0;
  const answer = await send("GET", "/tags");
  expect(answer).toMatchObject({ status: 200, body: { data: [{ name: "Tea" }], extra: 1 } });
  expect(answer.headers.get("x-tags")).toBe("many");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(calls).toEqual(["all /api/tags", "before token", "policy GET"]);
  expect((await send("GET", "/tags/abc")).body).toEqual({ instead: "abc" });
  expect((await send("GET", "/tags/mine")).body).toEqual({ kind: "token" });
  calls.length = 0;
  expect((await server.send("GET", "/api/tags")).status).toBe(403);
  expect(calls).toEqual([]);
});

test("a handler gets an answer that it can read, whatever the client takes and has", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${"long ".repeat(7)}${index}`);
  const tags = documents("api::tag.tag");
  await tags.createMany({ data: names.map((name, index) => ({ name, slug: `long-${index}` })) });
  const headers = { authorization: `Bearer ${token}`, "accept-encoding": "gzip, br" };
  const plain = await authApp({ database, application });
  const { headers: known } = await plain.app.request("/api/tags", { headers });
  expect(known.get("content-encoding")).toBe("br");
  const conditional = { ...headers, "if-none-match": known.get("etag") ?? "" };
  const answer = await server.app.request("/api/tags", { headers: conditional });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ extra: 21 });
  await tags.deleteMany({ filters: { slug: { $startsWith: "long-" } } });
});

test("a policy that does not pass refuses, and the handler does not run", async () => {
  expect(await send("DELETE", `/tags/${tag.documentId}`)).toMatchObject({
    status: 403,
    body: { error: { name: "PolicyError", message: "Policy Failed" } },
  });
  expect(await documents("api::tag.tag").count()).toBe(1);
});

const upload = async (path: string) => {
  const body = new FormData();
  body.append("files", new Blob(["words"]), "words.txt");
  const headers = { authorization: `Bearer ${token}` };
  return (await server.app.request(path, { method: "POST", headers, body })).status;
};

test("a middleware of one's own stands before routes of the package", async () => {
  expect(await upload("/api/upload?no=1")).toBe(403);
  expect(await upload("/api/upload")).toBe(201);
});

test("what a route adds holds where the client says nothing, and its filters always", async () => {
  for (const name of ["Ada", "Bob", "Eve"]) {
    const email = name === "Eve" ? {} : { email: `${name.toLowerCase()}@example.com` };
    await documents("api::author.author").create({ data: { name, slug: name.toLowerCase(), ...email } });
  }
  expect((await send("GET", "/authors")).body).toMatchObject({
    data: [{ name: "Bob", articles: [] }, { name: "Ada" }],
    meta: { pagination: { total: 2 } },
  });
  const other = await send("GET", "/authors?sort=name&populate=portrait&filters[name][$ne]=Bob");
  expect(other.body).toMatchObject({ data: [{ name: "Ada", portrait: null }], meta: { pagination: { total: 1 } } });
  expect(other.text).not.toContain("articles");
  const made = await send("POST", "/authors", { data: { name: "Zoe", slug: "zoe" } });
  expect(made.body).toEqual({
    data: { id: expect.any(Number), documentId: expect.any(String), name: "Zoe" },
    meta: {},
  });
});

interface Page {
  readonly data: readonly { readonly name: string }[];
  readonly meta: { readonly pagination: { readonly total?: number } };
}

const namesOf = async (query: string) => {
  const { text } = await send("GET", `/authors?${query}`);
  const { data, meta }: Page = JSON.parse(text);
  return [data.map(({ name }) => name), meta.pagination.total];
};

test("a route whose size of pages is its own has pages of that size", async () => {
  added = () => ({ pagination: { pageSize: 2 }, sort: "name" });
  expect(await namesOf("")).toEqual([["Ada", "Bob"], 4]);
  expect(await namesOf("pagination[page]=2")).toEqual([["Eve", "Zoe"], 4]);
  expect(await namesOf("pagination[page]=2&pagination[pageSize]=3")).toEqual([["Zoe"], 4]);
  expect(await namesOf("pagination[start]=1")).toEqual([["Bob", "Eve", "Zoe"], 4]);
  expect(await namesOf("pagination[withCount]=false")).toEqual([["Ada", "Bob"], undefined]);
});

test.each(["nothing", "object"])(
  "a handler that returns %s and no answer is a 500, and the log says why",
  async (path) => {
    expect(await send("GET", `/tags/${path}`)).toMatchObject({ status: 500, body: { error: { status: 500 } } });
    const lines = server.logged().split("\n");
    expect(lines.filter((line) => line.includes(`"/api/tags/${path}"`) && line.includes("a request failed"))).toEqual([
      expect.stringContaining("has not returned a Response"),
    ]);
  },
);

test("a route that adds filters which are none lets nobody see everything", async () => {
  for (const filters of [undefined, null, false, ""]) {
    added = () => ({ filters });
    expect(await send("GET", "/authors")).toMatchObject({ status: 400, body: { error: { name: "ValidationError" } } });
  }
  added = () => ({});
  expect((await send("GET", "/authors")).status).toBe(200);
});

test.each([
  [{ policies: { finde: [] } }, 'there is no route for "finde". Did you mean "find"?'],
  [{ policies: { find: ["nobody"] } }, 'No policy is registered as "nobody". Registered: isKnown, isNot.'],
])("what is not there is refused when the server starts: %j", async (rest: object, message) => {
  const wrong = { ...application, extensions: { "api::tag.tag": { rest } }, app };
  const services = await testServices(applicationOf(application));
  expect(() => createHonoApp(services, wrong)).toThrow(message);
});
