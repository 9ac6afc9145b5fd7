import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { system } from "../../runtime/access/caller.ts";
import { defineExtension } from "../../runtime/app/extension.ts";
import { createHonoApp } from "../../runtime/app/server.ts";
import { ServiceUnavailableError, ValidationError } from "../../runtime/base/errors.ts";
import { listen } from "../../runtime/http/listen.ts";
import { can, everyone } from "../../runtime/http/rest/index.ts";
import { deferred } from "../support/deferred.ts";
import { freePort } from "../support/free-port.ts";
import { applicationOf, testServices } from "../support/services.ts";
import { SOON } from "../support/soon.ts";

const things = defineExtension({
  routes: (router) =>
    router
      .get("/things", can("api::thing.thing.find"), (c) => c.json({ data: [] }))
      .post("/things", can("api::thing.thing.create"), (c) => c.json({ got: c.get("body") ?? null }, 201))
      .post("/webhook", everyone(), async (c) => c.json({ text: await c.req.text(), json: await c.req.json() }))
      .get("/things/:id", everyone(), (c) => c.json({ id: c.req.param("id") }))
      .delete("/things/:id", everyone(), (c) => c.body(null, 204))
      .get("/refused", everyone(), () => {
        throw new ValidationError("No", { key: "x" });
      })
      .get("/broken", everyone(), () => {
        throw new Error("secret detail");
      })
      .get("/lost", everyone(), () => {
        throw Object.assign(new ServiceUnavailableError("The database is not available"), {
          cause: new Error("connect ECONNREFUSED 10.0.0.1:5432"),
        });
      }),
});
const application = applicationOf({ extensions: { "api::thing.thing": things } });

const app = async () => {
  const services = await testServices(application);
  return createHonoApp({ ...services, auth: { ...services.auth, authenticate: () => system } }, application);
};
const errorOf = async (answer: Response): Promise<unknown> => {
  const body: unknown = await answer.json();
  return typeof body === "object" && body !== null && "error" in body ? body.error : body;
};
const post = (body: string | undefined, type?: string) => ({
  method: "POST",
  ...(body === undefined ? {} : { body }),
  headers: type === undefined ? {} : { "content-type": type },
});

test("routes of one's own read the body as Hono has it, to the letter", async () => {
  const text = '{ "event": "paid",\n  "cents": 120 }';
  const answer = await (await app()).request("/api/webhook", post(text, "application/json"));
  expect(await answer.json()).toEqual({ text, json: { event: "paid", cents: 120 } });
});

test("the health check answers 204 to every method", async () => {
  const server = await app();
  for (const method of ["GET", "HEAD", "POST", "DELETE"]) {
    const answer = await server.request("/_health", { method });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("strapi")).toBe("You are so French!");
  }
});

test("reading an unknown path is a 404 with the envelope", async () => {
  const answer = await (await app()).request("/api/nope");
  expect(answer.status).toBe(404);
  expect(await answer.json()).toEqual({
    data: null,
    error: { status: 404, name: "NotFoundError", message: "Not Found", details: {} },
  });
});

test.each([
  ["POST", "/api/nope", 405, "HEAD, GET", "Method Not Allowed"],
  ["PATCH", "/api/things", 405, "HEAD, GET, POST", "Method Not Allowed"],
  ["PUT", "/api/things/5", 405, "HEAD, GET, DELETE", "Method Not Allowed"],
  ["OPTIONS", "/api/things", 200, "HEAD, GET, POST", ""],
  ["PURGE", "/api/things", 501, "HEAD, GET, POST", "Not Implemented"],
])("%s %s is %i and allows %s", async (method, path, status, allow, text) => {
  const answer = await (await app()).request(path, { method });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("allow")).toBe(allow);
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(await answer.text()).toBe(text);
});

test.each(["/api/things/%zz", "/api/nope/%", "/%E0%A4%A"])(
  "the path %s, which cannot be decoded, is a 400",
  async (path) => {
    const answer = await (await app()).request(path);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { name: "BadRequestError" } }]);
  },
);

test("people who look for a panel are told that there is none, and clients as of any unknown path", async () => {
  const server = await app();
  const page = await server.request("/admin", { headers: { accept: "text/html,*/*" } });
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining("no panel for editors")]);
  const answer = await server.request("/admin");
  expect([answer.status, await answer.json()]).toMatchObject([404, { error: { name: "NotFoundError" } }]);
});

test("paths match in any case and with slashes at the end, while parameters keep their case", async () => {
  const server = await app();
  expect((await server.request("/API/Things/")).status).toBe(200);
  expect(await (await server.request("/Api/THINGS/AbC/")).json()).toEqual({ id: "AbC" });
});

test("HEAD answers as GET does, without a body", async () => {
  const answer = await (await app()).request("/api/things", { method: "HEAD" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/json/);
  expect(await answer.text()).toBe("");
});

test.each([
  ["{bad", "SyntaxError", /JSON/],
  ['"text"', "SyntaxError", /^invalid JSON, only supports object and array$/],
  ["null", "SyntaxError", /^invalid JSON, only supports object and array$/],
  [`{"data":${"[".repeat(5000)}${"]".repeat(5000)}}`, "SyntaxError", /^JSON is nested too deeply$/],
  ['{"data":{"__proto__":{"a":1}}}', "SyntaxError", /^Object contains forbidden prototype property$/],
  ['{"data":{"\\u005f_proto__":{"a":1}}}', "SyntaxError", /^Object contains forbidden prototype property$/],
])("the body %s is refused with a 400", async (body, name, message) => {
  const answer = await (await app()).request("/api/things", post(body, "application/json"));
  expect(answer.status).toBe(400);
  expect(await errorOf(answer)).toEqual({ status: 400, name, message: expect.stringMatching(message) });
});

test.each([
  ['{"data":{"a":1}}', "application/json", { data: { a: 1 } }],
  ['{"data":{"a":1}}', "application/vnd.api+json; charset=utf-8", { data: { a: 1 } }],
  ["", "application/json", {}],
  ["data[a]=1", "application/x-www-form-urlencoded", { data: { a: "1" } }],
  ['{"data":{}}', "text/plain", null],
  ['{"data":{}}', "application/xml", null],
  ["{}", "multipart/form-data; boundary=x", null],
  ['{"data":"ü"}', "application/json; charset=iso-8859-1", { data: "ü" }],
  ['{"data":1}', "application/json; charset=unheard-of", { data: 1 }],
  ['{"data":1}', "application/csp-report", { data: 1 }],
  ['{"data":1}', "application/ld+json", { data: 1 }],
  ['{"data":1}', "text/json", null],
  ['{"data":"[{,\\"[,"}', "application/json", { data: '[{,"[,' }],
])("the body %s of type %s is read", async (body, type, got) => {
  const answer = await (await app()).request("/api/things", post(body, type));
  expect(await answer.json()).toEqual({ got });
});

test("members are counted before a body is parsed, in objects, in lists and not in texts", async () => {
  const server = await app();
  const send = async (body: string) => server.request("/api/things", post(body, "application/json"));
  const tooMany = { name: "ValidationError", message: expect.stringMatching(/^A body may have at most 50000 members/) };
  for (const body of [`[${"1,".repeat(50_000)}broken`, `{"data":{${'"a":[{}],'.repeat(25_000)}broken`])
    expect(await errorOf(await send(body))).toMatchObject(tooMany);
  const most = `["${"[1,{".repeat(20_000)}",[ ],${"1 ,\n".repeat(49_997)}1]`;
  expect((await send(most)).status).toBe(201);
  expect(await errorOf(await send(most.replace("[ ]", "[2]")))).toMatchObject(tooMany);
});

const compressed = (bytes: Uint8Array<ArrayBuffer>, encoding: string) => ({
  method: "POST",
  headers: { "content-type": "application/json", "content-encoding": encoding },
  body: bytes,
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["GZIP", gzipSync],
  ["identity", Buffer.from],
])("a body that was compressed by %s is read, and counts at its full size", async (encoding, compress) => {
  const server = await app();
  const send = async (text: string) =>
    server.request("/api/things", compressed(new Uint8Array(compress(Buffer.from(text))), encoding));
  expect(await (await send('{"data":{"a":1}}')).json()).toEqual({ got: { data: { a: 1 } } });
  const bomb = await send(`{"data":"${"x".repeat(2_000_000)}"}`);
  expect([bomb.status, await errorOf(bomb)]).toMatchObject([413, { message: "request entity too large" }]);
});

test("a body in an encoding that cannot be undone is refused", async () => {
  const server = await app();
  const text = new TextEncoder().encode("{}");
  for (const [encoding, status] of [
    ["gzip", 400],
    ["br", 400],
    ["zstd", 415],
    ["constructor", 415],
  ] as const) {
    expect((await server.request("/api/things", compressed(text, encoding))).status).toBe(status);
  }
});

test.each([
  ["application/json", 1_048_577],
  ["application/x-www-form-urlencoded", 57_345],
  ["text/plain", 57_345],
])("a body of type %s over %i bytes is a 413, whether its length is announced or not", async (type, size) => {
  const server = await app();
  const body = "x".repeat(size);
  const streamed: RequestInit & { duplex: "half" } = {
    ...post(undefined, type),
    body: new Blob([body]).stream(),
    duplex: "half",
  };
  const announced = post(body, type);
  const headers = { ...announced.headers, "content-length": String(size) };
  for (const init of [streamed, { ...announced, headers }]) {
    const answer = await server.request("/api/things", init);
    expect(answer.status).toBe(413);
    expect(await errorOf(answer)).toMatchObject({ message: "request entity too large" });
  }
});

test("an error that is meant for clients keeps its details", async () => {
  const answer = await (await app()).request("/api/refused");
  expect(await errorOf(answer)).toEqual({
    status: 400,
    name: "ValidationError",
    message: "No",
    details: { key: "x" },
  });
});

test("an unknown error says nothing of its cause", async () => {
  const answer = await (await app()).request("/api/broken");
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({
    data: null,
    error: { status: 500, name: "InternalServerError", message: "Internal Server Error" },
  });
});

test("a lost database is a 503 that names no address", async () => {
  const answer = await (await app()).request("/api/lost");
  expect(answer.status).toBe(503);
  expect(await answer.text()).not.toContain("10.0.0.1");
});

test("every answer carries the standard headers", async () => {
  const server = await app();
  for (const path of ["/api/things", "/api/nope", "/api/broken", "/_health"]) {
    const { headers } = await server.request(path);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(headers.get("vary")).toBe("Origin");
  }
});

test("without a credential, and with a public role that may do nothing, known paths are a 401", async () => {
  const server = createHonoApp(await testServices(application), application);
  expect((await server.request("/api/things")).status).toBe(401);
  expect((await server.request("/api/nope")).status).toBe(404);
});

test("a server that stops finishes the request that runs, and soon takes no other", async () => {
  const running = deferred();
  const released = deferred();
  const slow = applicationOf({
    extensions: {
      "api::slow.slow": {
        routes: (router) => {
          router.get("/slow", everyone(), async (c) => {
            running.resolve();
            await released.promise;
            return c.text("done");
          });
        },
      },
    },
  });
  const services = await testServices(slow);
  const handler = createHonoApp({ ...services, auth: { ...services.auth, authenticate: () => system } }, slow);
  // Nobody else gets the port when the server has ended, as may happen to one that the system has chosen.
  const server = await listen(handler, { host: "127.0.0.1", port: await freePort(), shutdownSeconds: 600 });
  const address = `http://127.0.0.1:${server.port}`;
  const answer = fetch(`${address}/api/slow`);
  await running.promise;
  const closed = server.close();
  // Whoever connects before it has ended listening is answered.
  const ask = () => fetch(`${address}/_health`, { headers: { connection: "close" } }).then(({ status }) => status);
  await expect.poll(() => ask().catch(() => "refused"), SOON).toBe("refused");
  released.resolve();
  expect(await (await answer).text()).toBe("done");
  await closed;
});
