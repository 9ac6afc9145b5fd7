/** The line of the log for each request, and the id that it shares with the answer. */
import { get } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import example from "../../../generated/index.ts";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import type { Application } from "../../../runtime/app/application.ts";
import { startServer } from "../../../runtime/app/start.ts";
import { createLogger } from "../../../runtime/base/log.ts";
import { type ConfigInput, configSchema } from "../../../runtime/config/config.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { everyone } from "../../../runtime/http/rest/index.ts";
import { freshDatabase } from "../../support/database.ts";
import { deferred } from "../../support/deferred.ts";
import { blocksOf } from "../../support/doc-blocks.ts";
import { secrets } from "../../support/services.ts";
import { SOON } from "../../support/soon.ts";

type Line = Readonly<Record<string, unknown>>;

/** When somebody has asked the route that never answers. */
const silence = deferred();

/** The example with two routes of its own: one fails, and one never answers. */
const application: Application = {
  ...example,
  app: {
    register: ({ graphql }) =>
      void graphql.use({
        typeDefs: "extend type Query { fire: Int }",
        resolvers: {
          Query: {
            fire: () => {
              throw new Error("the printer is on fire");
            },
          },
        },
        resolversConfig: { "Query.fire": { auth: false } },
      }),
  },
  extensions: {
    "api::tag.tag": {
      hooks: {
        async beforeCreate({ data, services }) {
          services.log.info("a tag is coming");
          if (data["slug"] === "slow") await services.db.execute(sql`select pg_sleep(${0.25}), ${"my-secret"}::text`);
        },
      },
      routes: (router) =>
        void router
          .get("/broken/:name", everyone(), () => {
            throw new Error("the printer is on fire");
          })
          .get("/slow-page", everyone(), async (c) => {
            const { db, log } = c.get("services");
            await db.execute(sql`select pg_sleep(${0.25})`);
            log.info("the page is ready");
            return c.text("slow");
          })
          .get("/silent", everyone(), () => {
            silence.resolve();
            return new Promise<Response>(() => {});
          }),
    },
  },
};

// On a server of PostgreSQL, what other tests commit makes stored answers out of date.
const database = await freshDatabase("pglite");
await migrate(database, "generated/migrations");
const token = await createApiToken(database, secrets.tokenSalt, {
  name: "reader",
  type: "full-access",
  permissions: [],
  expiresAt: null,
});

const serve = async (input: ConfigInput = {}, production = false) => {
  const lines: Line[] = [];
  const config = configSchema.parse({ ...input, server: { ...input.server, port: 0, host: "127.0.0.1" } });
  const log = createLogger({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const server = await startServer({ config, database, application, secrets, log, production });
  onTestFinished(() => server.close());
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
  const requests = (): readonly Line[] => lines.filter(({ msg }) => msg === "request");
  const logged = (count: number): Promise<void> => expect.poll(() => requests().length, SOON).toBe(count);
  return { port: server.port, lines, requests, logged, ask, headers: { authorization: `Bearer ${token}` } };
};

test("each answered request has a line with its route, and nothing of its query, body or credentials", async () => {
  const { ask, headers, requests, logged, lines } = await serve();
  await (await ask("/_health")).text();
  await (await ask("/API/articles/", headers)).text();
  for (let time = 0; time < 8; time += 1)
    await (await ask("/api/articles?filters[title][$eq]=my-secret", headers)).text();
  const last = await ask("/api/articles/unknown-document");
  await last.text();
  await (await ask("/nothing/here?token=my-secret")).text();
  await logged(11);

  const [first, ...others] = requests();
  const [repeated, forbidden, missing] = others.slice(-3);
  expect(first).toMatchObject({
    method: "GET",
    route: "/api/articles",
    status: 200,
    caller: "token",
    milliseconds: expect.any(Number),
    statements: expect.any(Number),
    bytes: expect.any(Number),
    requestId: expect.stringMatching(/^[\w-]{36}$/),
  });
  expect(first).not.toHaveProperty("cache");
  for (const { time } of lines) {
    expect(new Date(String(time)).toISOString()).toBe(time);
    expect(Math.abs(Date.parse(String(time)) - Date.now())).toBeLessThan(60_000);
  }
  expect(repeated).toMatchObject({ route: "/api/articles", status: 200, caller: "token", cache: "hit" });
  expect(forbidden).toMatchObject({
    route: "/api/articles/:documentId",
    status: 403,
    caller: "public",
    role: "public",
  });
  expect(forbidden?.["requestId"]).toBe(last.headers.get("x-request-id"));
  expect(missing).toMatchObject({ status: 404 });
  expect(missing).not.toHaveProperty("route");
  expect(missing).toHaveProperty("path", "/nothing/here");
  const [shown] = await blocksOf("run/operations.md");
  expect(Object.keys(JSON.parse(shown?.text ?? ""))).toEqual(Object.keys(forbidden ?? {}));
  expect(new Set(requests().map(({ requestId }) => requestId)).size).toBe(11);
  expect(JSON.stringify(lines)).not.toMatch(/my-secret|Bearer|unknown-document/);
});

test("in production no path is logged", async () => {
  const { ask, logged, lines } = await serve({}, true);
  await (await ask("/nothing/my-secret")).text();
  await logged(1);
  expect(JSON.stringify(lines)).not.toContain("my-secret");
});

test("an answer of 500, its error in the log and its line have the same id", async () => {
  const { ask, requests, logged, lines } = await serve({ logger: { requests: "errors" } });
  await (await ask("/api/articles")).text();
  const answer = await ask("/api/broken/vase");
  const { error } = await answer.json();
  await logged(1);
  const id = answer.headers.get("x-request-id");
  expect(error).toEqual({
    status: 500,
    name: "InternalServerError",
    message: "Internal Server Error",
    details: { requestId: id },
  });
  expect(requests()).toMatchObject([{ route: "/api/broken/:name", status: 500, requestId: id }]);
  expect(lines.filter(({ level }) => level === 50)).toMatchObject([{ msg: "a request failed", requestId: id }]);
});

test("what a GraphQL query fails by has the id of its request, by GET as by POST", async () => {
  const { port, ask, lines } = await serve({ logger: { requests: false } });
  const posted = fetch(`http://127.0.0.1:${port}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{ "query": "{ fire }" }',
  });
  for (const answer of [await ask("/graphql?query={fire}", { "apollo-require-preflight": "1" }), await posted]) {
    expect(await answer.json()).toMatchObject({ data: { fire: null } });
    const requestId = answer.headers.get("x-request-id");
    expect(lines.filter((line) => line["requestId"] === requestId)).toMatchObject([{ msg: "a resolver failed" }]);
  }
});

test("a slow statement has a line with its text and its request, and without values", async () => {
  const { port, headers, lines, requests, logged } = await serve({ logger: { slowStatement: 200 } });
  const answer = await fetch(`http://127.0.0.1:${port}/api/tags`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ data: { name: "slow", slug: "slow" } }),
  });
  expect(answer.status).toBe(201);
  await logged(1);
  const slow = lines.filter(({ msg }) => msg === "a slow statement");
  expect(slow).toMatchObject([
    { level: 40, requestId: answer.headers.get("x-request-id"), route: "/api/tags", statement: expect.any(String) },
  ]);
  expect(slow[0]?.["statement"]).toBe("select pg_sleep($1), $2::text");
  expect(slow[0]?.["milliseconds"]).toBeGreaterThanOrEqual(200);
  expect(requests()[0]?.["statements"]).toBeGreaterThan(1);
  expect(JSON.stringify(lines)).not.toContain("my-secret");
});

test("what a hook logs has the id of the request that runs it", async () => {
  const { port, headers, lines } = await serve({ logger: { requests: false } });
  const answer = await fetch(`http://127.0.0.1:${port}/api/tags`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ data: { name: "tea", slug: "tea" } }),
  });
  expect(answer.status).toBe(201);
  const requestId = answer.headers.get("x-request-id");
  expect(lines.filter(({ msg }) => msg === "a tag is coming")).toMatchObject([{ requestId }]);
});

test("only a trusted proxy names requests, and only plainly", async () => {
  const stranger = await serve({ logger: { requests: false } });
  const sent = { "x-request-id": "abc-123" };
  expect((await stranger.ask("/api/tags", sent)).headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
  expect(stranger.requests()).toEqual([]);

  const proxied = await serve({ server: { trustedProxies: ["127.0.0.0/8"] } });
  expect((await proxied.ask("/api/tags", sent)).headers.get("x-request-id")).toBe("abc-123");
  for (const odd of ['a"b', "x".repeat(129), "a b"]) {
    const named = await proxied.ask("/api/tags", { "x-request-id": odd });
    expect(named.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
  }
  await proxied.logged(4);
  expect(proxied.requests()[0]).toMatchObject({ requestId: "abc-123" });
});

test("a client that leaves before its answer has a line, too", async () => {
  const { port, requests, logged } = await serve();
  const request = get({ port, host: "127.0.0.1", path: "/api/silent" }).on("error", () => {});
  await silence.promise;
  request.destroy();
  await logged(1);
  expect(requests()).toMatchObject([{ route: "/api/silent", status: 499, aborted: true }]);
});

test("requests that are sent without waiting for answers have the bytes of their own answers", async () => {
  const { port, requests, logged } = await serve();
  const socket = connect(port, "127.0.0.1");
  const head = "HTTP/1.1\r\nHost: localhost\r\n";
  socket.write(`GET /nothing ${head}\r\nGET /_health ${head}\r\nGET /_healthy ${head}Connection: close\r\n\r\n`);
  const answers = (await text(socket)).split(/(?=HTTP\/1.1 )/);
  await logged(2);
  expect(requests()).toMatchObject([
    { path: "/nothing", bytes: answers[0]?.length },
    { path: "/_healthy", bytes: answers[2]?.length },
  ]);
});

test("statements that read users and files are counted as those for content are", async () => {
  const { ask, headers, requests, logged } = await serve();
  const paths = [
    "/api/users",
    "/api/users/count",
    "/api/users/1",
    "/api/users-permissions/roles",
    "/api/users-permissions/roles/1",
    "/api/upload/files",
    "/api/upload/files/1",
  ];
  for (const path of paths) await (await ask(path, headers)).text();
  await logged(paths.length);
  // The first one has looked up the token.
  for (const line of requests().slice(1)) expect(line["statements"], String(line["route"])).toBeGreaterThan(0);
});

test("the statements that look up a token or a session are counted", async () => {
  const { port, requests, logged, ask } = await serve({
    auth: { jwt: { mode: "refresh" } },
    cache: { enabled: false },
  });
  const answer = await fetch(`http://127.0.0.1:${port}/api/auth/local/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "anna", email: "anna@example.test", password: "Passw0rd!" }),
  });
  const { jwt }: { jwt?: string } = Object(await answer.json());
  for (const credential of [token, jwt]) {
    const headers = { authorization: `Bearer ${credential}` };
    for (let time = 0; time < 2; time += 1) await (await ask("/api/users/me", headers)).text();
  }
  await logged(5);
  const [, first, again, session, sessionAgain] = requests().map(({ statements }) => Number(statements));
  expect([first, session]).toEqual([Number(again) + 1, Number(sessionAgain) + 2]);
});

test("a route of one's own has its statements counted, and its id in the lines that it causes", async () => {
  const { ask, lines, requests, logged } = await serve({ logger: { slowStatement: 200 } });
  const answer = await ask("/api/slow-page");
  expect(await answer.text()).toBe("slow");
  await logged(1);
  expect(requests()).toMatchObject([{ route: "/api/slow-page", statements: 1 }]);
  const requestId = answer.headers.get("x-request-id");
  expect(lines.filter((line) => line["requestId"] === requestId).map(({ msg }) => msg)).toEqual([
    "a slow statement",
    "the page is ready",
    "request",
  ]);
});
