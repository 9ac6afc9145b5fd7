/** What a body may hold, and whose bodies are read at all. */
import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { listen } from "../../runtime/http/listen.ts";
import { at } from "../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";

const limits = { bodyMembers: 1000, componentEntries: 40, bodyErrors: 5 };
const app = await exampleApp(afterAll, await exampleDatabase(afterAll), { limits, server: { bodySeconds: 0.5 } });
const token = await app.token();
const reader = await app.token("api::article.article.find");

const listening = await listen(app.app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
afterAll(() => listening.close());

/** What a server says to the head of a request whose body never comes. */
const answerToHead = (path: string, lines: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const head = [`POST ${path} HTTP/1.1`, "host: test", "content-type: application/json", ...lines];
    const socket = connect(listening.port, "127.0.0.1", () => {
      socket.write(`${head.join("\r\n")}\r\ncontent-length: 900000\r\n\r\n{`);
    });
    socket.once("data", (chunk) => {
      socket.destroy();
      resolve(chunk.toString().split("\r\n")[0] ?? "");
    });
    socket.on("error", reject);
  });

test.each([
  ["who may not create articles", "/api/articles", () => [`authorization: Bearer ${reader}`], "HTTP/1.1 403 Forbidden"],
  ["the public", "/api/articles", () => [], "HTTP/1.1 403 Forbidden"],
  ["who has no valid token", "/api/articles", () => ["authorization: Bearer x"], "HTTP/1.1 401 Unauthorized"],
])("the body of %s is not waited for", async (_, path, headers, expected) => {
  expect(await answerToHead(path, headers())).toBe(expected);
});

test("a short body that is no JSON is told so, to whom it is", async () => {
  const answer = await app.app.request("/api/articles", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Content-Length": "1" },
    body: "{",
  });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('"SyntaxError"')]);
});

test("the body of who may go on is waited for", async () => {
  expect(await answerToHead("/api/articles", [`authorization: Bearer ${token}`])).toBe("HTTP/1.1 408 Request Timeout");
});

test.each([
  ["/api/articles", "application/json"],
  ["/api/upload", "multipart/form-data; boundary=x"],
])("a sender who hangs up within a body for %s is nobody's fault", async (path, type) => {
  const broken = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  const body = new ReadableStream({ pull: (controller) => controller.error(broken) });
  const headers = { "content-type": type, authorization: `Bearer ${token}` };
  const request = { method: "POST", headers, body, duplex: "half" };
  await app.app.request(path, request);
  expect(app.logged()).not.toContain("aborted");
});

test.each([
  ["text/plain", 'its Content-Type is "text/plain"'],
  ["application/xml", 'its Content-Type is "application/xml"'],
  [undefined, "it has no Content-Type"],
])("a body of type %s without data is told how to send it", async (type, found) => {
  const body = Buffer.from('{"data":{"name":"x"}}');
  const headers = {
    authorization: `Bearer ${token}`,
    "content-length": String(body.length),
    ...(type ? { "content-type": type } : {}),
  };
  const answer = await app.app.request("/api/tags", { method: "POST", headers, body });
  expect([answer.status, at(await answer.json(), "error.message")]).toEqual([
    400,
    `Missing "data" payload in the request body: ${found}, send it with "Content-Type: application/json"`,
  ]);
});

const create = (data: unknown) => app.send("POST", "/api/articles?status=draft", { token, body: { data } });
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
const tooManyMembers = {
  data: null,
  error: {
    status: 400,
    name: "ValidationError",
    message: "A body may have at most 1000 members, of all its objects and lists together",
    details: { key: null, path: null, source: "body" },
  },
};

test.each([
  ["members of one object", members(1001)],
  ["members of a list", { tags: Array.from({ length: 1001 }, () => 1) }],
  ["members of many objects", { tags: Array.from({ length: 400 }, () => ({ id: 1, locale: "en" })) }],
])("a body with too many %s is refused", async (_, data) => {
  expect((await create(data)).body).toEqual(tooManyMembers);
});

test.each(["", "/register"])("a body of /auth/local%s has the members of one user", async (path) => {
  await app.allowPublic("plugin::users-permissions.auth.callback", "plugin::users-permissions.auth.register");
  const answer = await app.send("POST", `/api/auth/local${path}`, { body: members(501) });
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("at most 500 members")]);
  const few = await app.send("POST", `/api/auth/local${path}`, { body: members(500) });
  expect(few.text).not.toContain("at most");
});

test("the limit of members holds for the variables of GraphQL too", async () => {
  const variables = { data: members(1001) };
  const answer = await app.graphql(
    "mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id } } }",
    variables,
  );
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("at most 1000 members")]);
});

const texts = (count: number) => Array.from({ length: count }, () => ({ __component: "blocks.text" }));
const quotes = (count: number) => Array.from({ length: count }, () => ({ __component: "blocks.quote", text: 1 }));

test("a body with too many entries of components is refused, with the place of the first that is too many", async () => {
  const data = { title: "One", slug: "one", seo: {}, sections: texts(40) };
  expect((await create(data)).body).toEqual({
    data: null,
    error: {
      status: 400,
      name: "ValidationError",
      message: "Invalid key sections. A body may have at most 40 entries of components",
      details: { key: "sections", path: "sections", source: "body" },
    },
  });
  const sections = Array.from({ length: 41 }, () => ({ __typename: "ComponentBlocksText" }));
  const variables = { data: { title: "One", slug: "one", sections } };
  const query = "mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id } } }";
  const answer = await app.graphql(query, variables, { token });
  expect(at(answer.body, "errors.0.message")).toBe(
    "Invalid key sections. A body may have at most 40 entries of components",
  );
});

test("an answer lists only so many faults of a body", async () => {
  const { status, body } = await create({ title: "Two", slug: "two", sections: quotes(30) });
  expect([status, at(body, "error.name")]).toEqual([400, "ValidationError"]);
  expect(at(body, "error.details.errors")).toHaveLength(5);
});

const INVALID = Buffer.from([0xc3, 0x28]);

test.each([
  [
    "JSON",
    "/api/tags",
    "application/json",
    ['{"data":{"name":"', '"}}'],
    "The body is not valid UTF-8, from byte 17 on",
  ],
  [
    "GraphQL",
    "/graphql",
    "application/json",
    ['{"query":"{ a(b: \\"', '\\") }"}'],
    "The body is not valid UTF-8, from byte 19 on",
  ],
  [
    "a form",
    "/api/tags",
    "application/x-www-form-urlencoded",
    ["data[name]=", ""],
    "The body is not valid UTF-8, from byte 11 on",
  ],
  [
    "an encoded form",
    "/api/tags",
    "application/x-www-form-urlencoded",
    ["data[name]=%c3%28", undefined],
    "Invalid value at data[name]. It is not valid UTF-8",
  ],
  [
    "a form of GraphQL",
    "/graphql",
    "multipart/form-data; boundary=x",
    ['--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{"query":"', '"}\r\n--x--'],
    "The field operations is not valid UTF-8",
  ],
] as const)(
  "bytes of %s that are no UTF-8 are refused and not replaced",
  async (_, path, type, [before, after], message) => {
    const body = after === undefined ? before : Buffer.concat([Buffer.from(before), INVALID, Buffer.from(after)]);
    const headers = { "content-type": type, authorization: `Bearer ${token}`, "apollo-require-preflight": "true" };
    const answer = await app.app.request(path, { method: "POST", headers, body });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(message)]);
  },
);
