/** What one client may not do to the others. */
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../runtime/database/migrations/migrator.ts";
import { openPostgres } from "../../runtime/database/postgres/postgres.ts";
import { freshPostgresUrl } from "../support/database.ts";
import { deferred } from "../support/deferred.ts";
import { exampleApp } from "../support/example-app.ts";
import { served } from "../support/served-app.ts";

const cleanup = onTestFinished;

const start = async (requestSeconds = 60) => {
  const url = await freshPostgresUrl(cleanup);
  const [database, other] = [
    await openPostgres(url, 8, { lockSeconds: 60, statementSeconds: 60 }),
    await openPostgres(url, 1),
  ];
  for (const each of [database, other]) cleanup(() => each.close());
  await migrate(database, "generated/migrations");
  const config = { server: { trustedProxies: ["127.0.0.1"] }, database: { lockSeconds: 60, requestSeconds } };
  const app = await served(await exampleApp(cleanup, database, config), cleanup);
  const token = await app.token();
  /** A client with an address and a token of its own. */
  const client = async (address: string) => {
    const token = await app.token();
    return (method: string, path: string, data?: object) => send(address, token, method, path, data);
  };
  const send = async (address: string, token: string, method: string, path: string, data?: object) => {
    const headers = { "x-forwarded-for": address };
    const { status } = await app.send(method, path, { headers, token, ...(data ? { body: { data } } : {}) });
    return status;
  };
  const create = async (path: string, data: object): Promise<string> => {
    const { body } = await app.send("POST", path, { token, body: { data } });
    return Object(body).data.documentId;
  };
  return { other, client, create };
};

test("requests of one client that all wait for a locked table hold up neither other clients nor its reads of other types", async () => {
  const { other, client, create } = await start();
  const articles = await Promise.all(
    Array.from({ length: 20 }, (_, n) => create("/api/articles", { title: `Article ${n}`, slug: `article-${n}` })),
  );
  const [isLocked, end] = [deferred(), deferred()];
  const holder = other.transaction(async (session) => {
    await session.script("lock table articles in access exclusive mode");
    isLocked.resolve();
    await end.promise;
  });
  await isLocked.promise;
  const [greedy, modest] = [await client("203.0.113.7"), await client("198.51.100.1")];
  let answered = 0;
  const waiting: Promise<number>[] = [];
  const begin = (...request: Parameters<typeof greedy>): void => {
    waiting.push(greedy(...request).finally(() => (answered += 1)));
  };
  for (let page = 1; page <= 30; page += 1) begin("GET", `/api/articles?pagination[page]=${page}`);
  for (let page = 1; page <= 3; page += 1) expect(await greedy("GET", `/api/tags?pagination[page]=${page}`)).toBe(200);
  for (const documentId of articles) begin("PUT", `/api/articles/${documentId}`, { title: "New" });
  for (let round = 0; round < 3; round += 1) {
    expect(await modest("PUT", "/api/global", { siteName: `Name ${round}` })).toBe(200);
    expect(await modest("GET", "/api/global")).toBe(200);
    expect(await modest("GET", "/_health")).toBe(204);
    expect(await modest("GET", "/_health/ready")).toBe(204);
  }
  expect(answered).toBe(0);
  end.resolve();
  await holder;
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
});

test("a request whose statements take longer than it may is answered 503, whatever a lock or a statement may take", async () => {
  const { other, client } = await start(0.5);
  const [isLocked, end] = [deferred(), deferred()];
  const holder = other.transaction(async (session) => {
    await session.script("lock table tags in access exclusive mode");
    isLocked.resolve();
    await end.promise;
  });
  await isLocked.promise;
  const ask = await client("203.0.113.7");
  expect(await ask("GET", "/api/tags")).toBe(503);
  end.resolve();
  await holder;
  expect(await ask("GET", "/api/tags")).toBe(200);
});
