/** What clients and caches may keep of what was read, over real connections. */
import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { isRecord } from "../../runtime/base/is-record.ts";
import type { ConfigInput } from "../../runtime/config/config.ts";
import type { Database } from "../../runtime/database/database.ts";
import { listen } from "../../runtime/http/listen.ts";
import { registration, textAt } from "../support/auth-app.ts";
import { type ExampleApp, exampleApp, exampleDatabase } from "../support/example-app.ts";

const CATEGORY = "api::category.category";

interface Received {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

interface Served {
  readonly app: ExampleApp;
  get(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Received>;
}

let database: Database;

/** Serves the example, as it is sent: nothing is decompressed. */
const serve = async (config: ConfigInput = {}, cleanup = onTestFinished): Promise<Served> => {
  const app = await exampleApp(cleanup, database, { auth: { jwt: { mode: "legacy" } }, ...config });
  const { port, close } = await listen(app.app, { host: "127.0.0.1", port: 0, shutdownSeconds: 1 });
  cleanup(close);
  return {
    app,
    get: (path, headers = {}, method = "GET") =>
      new Promise((resolve, reject) => {
        const sent = request({ port, path, headers, method, agent: false }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("end", () =>
            resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
          );
        });
        sent.on("error", reject);
        sent.end();
      }),
  };
};

let served: Served;
let token: string;
const create = async (name: string): Promise<void> => {
  const { status } = await served.app.send("POST", "/api/categories", {
    token,
    body: { data: { name, slug: name.toLowerCase().replace(" ", "-") } },
  });
  expect(status).toBe(201);
};

beforeAll(async () => {
  database = await exampleDatabase(afterAll);
  served = await serve({}, afterAll);
  token = await served.app.token();
  await served.app.allowPublic(`${CATEGORY}.find`, `${CATEGORY}.findOne`);
  for (let number = 0; number < 15; number += 1) await create(`Category ${number}`);
});

const LIST = "/api/categories?pagination[pageSize]=10";

test("what has not changed is a 304 with the same tag and no body, and what has is answered again", async () => {
  const first = await served.get(LIST);
  const tag = String(first.headers["etag"]);
  expect(tag).toMatch(/^W\/"/);
  const again = await served.get(LIST, { "if-none-match": `"other", ${tag}` });
  expect([again.status, again.body.length, again.headers["etag"]]).toEqual([304, 0, tag]);
  expect(again.headers["content-type"]).toBeUndefined();
  expect(again.headers["vary"]).toBe("Origin");
  const head = await served.get(LIST, { "if-none-match": tag }, "HEAD");
  expect(head.status).toBe(304);
  await create("Another");
  const changed = await served.get(LIST, { "if-none-match": tag });
  expect(changed.status).toBe(200);
  expect((await served.get(LIST, { "if-none-match": "*" })).status).toBe(200);
});

test("HEAD has the headers of GET, and no body", async () => {
  const got = await served.get(LIST);
  const head = await served.get(LIST, {}, "HEAD");
  expect([head.status, head.body.length]).toEqual([200, 0]);
  for (const name of ["etag", "content-type", "vary"]) expect(head.headers[name]).toBe(got.headers[name]);
});

test.each([
  ["gzip, deflate, br", "br", brotliDecompressSync],
  ["gzip;q=0.5, br;q=0", "gzip", gunzipSync],
] as const)("with %j longer answers are compressed by %s", async (accepted, coding, read) => {
  const plain = await served.get(LIST);
  const packed = await served.get(LIST, { "accept-encoding": accepted });
  expect(packed.headers["content-encoding"]).toBe(coding);
  expect(packed.headers["vary"]).toBe("Origin, Accept-Encoding");
  expect(packed.headers["etag"]).toBe(plain.headers["etag"]);
  expect(packed.headers["content-length"]).toBe(String(packed.body.length));
  expect(read(packed.body).toString()).toBe(plain.body.toString());
  expect(packed.body.length).toBeLessThan(plain.body.length / 2);
});

test("short answers, secrets, and what clients do not take are sent as they are", async () => {
  const short = await served.get("/api/categories?pagination[pageSize]=1", { "accept-encoding": "br" });
  expect(short.headers["content-encoding"]).toBeUndefined();
  const untaken = await served.get(LIST, { "accept-encoding": "identity, zstd" });
  expect(untaken.headers["content-encoding"]).toBeUndefined();
  expect(isRecord(JSON.parse(untaken.body.toString()))).toBe(true);
  const quiet = await serve({ server: { compression: false } });
  const off = await quiet.get(LIST, { "accept-encoding": "br" });
  expect([off.headers["content-encoding"], off.headers["vary"]]).toEqual([undefined, "Origin"]);
});

test("caches are told what the configuration says of a type and role, and that the rest is private", async () => {
  const rules = {
    public: { [CATEGORY]: "public, max-age=60, stale-while-revalidate=600" },
    authenticated: { [CATEGORY]: "private, max-age=5" },
  };
  const ruled = await serve({ rest: { cacheControl: rules } });
  const control = async (path: string, headers = {}): Promise<unknown> =>
    (await ruled.get(path, headers)).headers["cache-control"];
  const answer = await ruled.get(LIST, { "accept-encoding": "br" });
  expect(answer.headers["cache-control"]).toBe(rules.public[CATEGORY]);
  expect(answer.headers["vary"]).toBe("Origin, Authorization, Strapi-Response-Format, Accept-Encoding");
  const unchanged = await ruled.get(LIST, { "if-none-match": String(answer.headers["etag"]) });
  expect([unchanged.status, unchanged.headers["cache-control"]]).toEqual([304, rules.public[CATEGORY]]);

  const { body } = await ruled.app.send("POST", "/api/auth/local/register", { body: registration("reader") });
  await ruled.app.allowUsers(`${CATEGORY}.find`);
  const reader = { authorization: `Bearer ${textAt(body, "jwt")}` };
  expect(await control(LIST, reader)).toBe("private, max-age=5");
  for (const name of ["status", "%73tatus", "[status]", "publication%46ilter"]) {
    const value = name === "publication%46ilter" ? "has-published-version" : "published";
    expect([name, await control(`${LIST}&${name}=${value}`, reader)]).toEqual([name, "private, no-cache"]);
  }
  expect(await control(LIST, { authorization: `Bearer ${token}` })).toBe("private, no-cache");
  expect(await control(`${LIST}&status=draft`, { authorization: `Bearer ${token}` })).toBe("private, no-cache");
  expect(await control("/api/articles", { authorization: `Bearer ${token}` })).toBeUndefined();
  expect((await served.get(LIST)).headers["cache-control"]).toBeUndefined();
});

test.each([
  [{ public: { "api::categroy.category": "public" } }, /no content type "api::categroy\.category".*Did you mean/],
  [{ authenticated: { [CATEGORY]: "public, max-age=60" } }, /only what the public reads may be kept by shared caches/],
])("a rule that cannot be is refused: %j", async (cacheControl, fault) => {
  await expect(serve({ rest: { cacheControl } })).rejects.toThrow(fault);
});
