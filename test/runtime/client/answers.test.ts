/** The generated client and servers that answer as none should, or not at all. */
import { expect, test } from "vitest";
import { createClient } from "../../../generated/client/index.ts";
import { RequestError } from "../../../runtime/client/index.ts";
import { deferred } from "../../support/deferred.ts";
import { answering } from "./server.ts";

const failure = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => {
      throw new Error("it was answered");
    },
    (error: unknown) => error,
  );

const page = "<html><body>Bad Gateway</body></html>";

test.each([
  [
    502,
    "text/html",
    page,
    "UnexpectedAnswer",
    "GET /api/tags was answered 502 Bad Gateway with text/html, where JSON was expected",
  ],
  [
    200,
    "text/html",
    page,
    "UnexpectedAnswer",
    "GET /api/tags was answered 200 OK with text/html, where JSON was expected",
  ],
  [
    200,
    "application/json",
    '{"data":[',
    "UnexpectedAnswer",
    "GET /api/tags was answered 200 OK with application/json, where JSON was expected",
  ],
  [
    413,
    "text/html",
    page,
    "UnexpectedAnswer",
    "GET /api/tags was answered 413 Payload Too Large with text/html, where JSON was expected",
  ],
  [
    413,
    "application/json",
    '{"data":null,"error":{"status":413,"name":"PayloadTooLargeError","message":"Entity too large"}}',
    "PayloadTooLargeError",
    "Entity too large",
  ],
  [
    500,
    "application/json",
    '{"error":"boom"}',
    "UnexpectedAnswer",
    "GET /api/tags was answered 500 Internal Server Error with application/json, where JSON was expected",
  ],
  [
    401,
    "application/json",
    "null",
    "UnexpectedAnswer",
    "GET /api/tags was answered 401 Unauthorized with application/json, where JSON was expected",
  ],
])("%i with %s and %s is a %s", async (status, type, body, name, message) => {
  const url = await answering((_request, response) =>
    response.writeHead(status, { "content-type": type, "retry-after": "7" }).end(body),
  );
  const error = await failure(createClient({ url }).tags.find());
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ status, name, message, details: {} });
  expect(error instanceof RequestError && error.headers.get("retry-after")).toBe("7");
});

test("an answer without a body is nothing", async () => {
  const url = await answering((_request, response) => response.writeHead(204).end());
  const cms = createClient({ url });
  expect(await cms.tags.delete("a")).toBeUndefined();
  expect(await cms.users.findOne(7)).toBeNull();
  expect(await cms.request("POST", "/anything")).toBeUndefined();
});

test("a server that cannot be reached, or breaks off, is a NetworkError that names no query", async () => {
  const url = await answering((request, response) => {
    if (request.url?.includes("half")) response.writeHead(200, { "content-length": "100" }).write("{");
    request.socket.destroy();
  });
  for (const word of ["secret", "half-secret"]) {
    const error = await failure(createClient({ url }).tags.find({ _q: word }));
    expect(error).toMatchObject({ status: 0, name: "NetworkError", message: "GET /api/tags was not answered" });
    expect(error).toHaveProperty("cause", expect.anything());
  }
});

test("a request that is given up before it is sent is not sent", async () => {
  const signal = AbortSignal.abort("no longer wanted");
  const cms = createClient({ url: await answering(() => expect.unreachable()) });
  expect(await failure(cms.tags.find({}, { signal }))).toBe("no longer wanted");
  const shared = createClient({ url: "http://localhost:1", init: { signal } });
  expect(await failure(shared.tags.find())).toBe("no longer wanted");
});

test.each(["waits for an answer", "reads one"])("a request can be given up while it %s", async (state) => {
  const reached = deferred();
  const url = await answering((request, response) => {
    if (request.url?.includes("waits")) reached.resolve();
    else response.writeHead(200, { "content-type": "application/json" }).write("{");
  });
  const cms = createClient({
    url,
    async fetch(address, init) {
      const answer = await fetch(address, init);
      reached.resolve();
      return answer;
    },
  });
  const controller = new AbortController();
  const asked = failure(cms.tags.find({ _q: state }, { signal: controller.signal }));
  await reached.promise;
  controller.abort("too late");
  expect(await asked).toBe("too late");
});

test("options reach every request, and those of a call come before them", async () => {
  const heard: unknown[] = [];
  const url = await answering((request, response) => {
    const { host: _host, connection: _connection, ...headers } = request.headers;
    heard.push([
      request.method,
      request.url,
      headers["x-site"],
      headers["x-page"],
      headers["content-type"],
      headers.authorization,
    ]);
    response.writeHead(200, { "content-type": "application/json" }).end('{"data":[]}');
  });
  const cms = createClient({
    url: `${url}//`,
    prefix: "/content",
    token: "secret",
    init: { headers: { "X-Site": "a", "Content-Type": "text/plain" } },
  });
  await cms.tags.create(
    { data: { name: "a", slug: "a" }, fields: ["name"] },
    {
      headers: [
        ["x-site", "b"],
        ["X-Page", "c"],
      ],
    },
  );
  await cms.request("GET", "/own", { options: { headers: { authorization: "Basic eA==" } } });
  await cms.files.update(5, { caption: "c" });
  expect(heard).toEqual([
    ["POST", "/content/tags?fields%5B0%5D=name", "b", "c", "application/json", "Bearer secret"],
    ["GET", "/content/own", "a", undefined, "text/plain", "Basic eA=="],
    [
      "POST",
      "/content/upload?id=5",
      "a",
      undefined,
      expect.stringMatching(/^multipart\/form-data; boundary=/),
      "Bearer secret",
    ],
  ]);
});
