/** Metrics for Prometheus, read as it reads them. */
import { expect, onTestFinished, test } from "vitest";
import example from "../../../generated/index.ts";
import { startServer } from "../../../runtime/app/start.ts";
import { createLogger } from "../../../runtime/base/log.ts";
import { type ConfigInput, configSchema } from "../../../runtime/config/config.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { pauseWebhook } from "../../../runtime/events/administration.ts";
import { freshDatabase } from "../../support/database.ts";
import { freePort } from "../../support/free-port.ts";
import { secrets } from "../../support/services.ts";
import { acting, createEventsTables } from "../events/world.ts";

const withTables = async (): Promise<Database> => {
  const database = await freshDatabase("postgres", onTestFinished);
  await createEventsTables(database);
  return database;
};

const serve = async (input: ConfigInput, given?: Database) => {
  const database = given ?? (await withTables());
  const config = configSchema.parse({ ...input, server: { ...input.server, port: 0, host: "127.0.0.1" } });
  const log = createLogger({ level: "silent" });
  const server = await startServer({ config, database, application: example, secrets, log });
  onTestFinished(() => server.close());
  const address = `http://127.0.0.1:${server.port}`;
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${address}${path}`, { headers });
  return { ask, port: server.port, services: server.services };
};

/** The value of one metric. */
const valueOf = (metrics: string, name: string): number => {
  const line = metrics.split("\n").find((text) => text.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
};

const countOf = (labels: string): string => `galley_http_request_duration_seconds_count{${labels}}`;

test("a port of its own shows requests by route, statements, connections and the cache", async () => {
  const port = await freePort();
  const { ask } = await serve({ metrics: { port }, permissions: {} });
  for (let time = 0; time < 3; time += 1) await (await ask("/api/articles/x?token=my-secret")).text();
  await (await ask("/nothing/my-secret")).text();
  await (await ask("/_health")).text();
  const read = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await expect.poll(async () => valueOf(await read(), countOf('method="GET",route="none",status="404"'))).toBe(1);
  const metrics = await read();
  const forbidden = 'method="GET",route="/api/articles/:documentId",status="403"';
  expect(valueOf(metrics, countOf(forbidden))).toBe(3);
  expect(valueOf(metrics, 'galley_database_statement_duration_seconds_count{outcome="ok"}')).toBeGreaterThan(0);
  expect(valueOf(metrics, "galley_database_connections")).toBeGreaterThan(0);
  expect(valueOf(metrics, "galley_database_waiting")).toBe(0);
  expect(valueOf(metrics, "galley_response_cache_bytes")).toBeGreaterThanOrEqual(0);
  expect(valueOf(metrics, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
  expect(metrics).not.toMatch(/my-secret|_health/);
  expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404);
});

test("the queue of events shows what waits for whom, what is parked, and how late it is", async () => {
  const token = "a token for metrics";
  const events = { webhooks: [{ name: "late", url: "https://receiver.example/" }] };
  const database = await withTables();
  await pauseWebhook(acting(database), "late", true);
  const { ask, services } = await serve({ metrics: { path: "/metrics", token }, events }, database);
  const tags = services.documents("api::tag.tag");
  for (const name of ["one", "two", "three"]) await tags.create({ data: { name, slug: name } });
  await database.rows(
    `update event_deliveries set due_at = (now() at time zone 'utc') - interval '90 seconds',
      state = case when position = (select min(position) from event_deliveries) then 'parked' else 'pending' end`,
  );
  const metrics = await (await ask("/metrics", { authorization: `Bearer ${token}` })).text();
  expect(valueOf(metrics, 'galley_event_deliveries_pending{consumer="late"}')).toBe(2);
  expect(valueOf(metrics, 'galley_event_deliveries_parked{consumer="late"}')).toBe(1);
  expect(valueOf(metrics, 'galley_event_lag_seconds{consumer="late"}')).toBeGreaterThanOrEqual(90);
  expect(valueOf(metrics, "galley_event_listeners")).toBe(0);
});

test("a path of the server shows metrics to who has the token, and to nobody else", async () => {
  const secret = "a token for métrics";
  // As curl sends it: headers are bytes.
  const token = Buffer.from(secret).toString("latin1");
  const { ask } = await serve({ metrics: { path: "/metrics", token: secret } });
  const answer = await ask("/metrics", { authorization: `Bearer ${token}` });
  expect(answer.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  expect(await answer.text()).toContain("galley_http_request_duration_seconds");
  for (const authorization of ["", "Bearer", `Bearer ${token}x`, `bearer  ${token}`, `Basic ${token}`])
    expect((await ask("/metrics", { authorization })).status).toBe(401);
});

test("without metrics in the configuration there are none", async () => {
  const { ask } = await serve({});
  expect((await ask("/metrics")).status).toBe(404);
});

test("a port that is taken is said before the server takes requests", async () => {
  const { port } = await serve({});
  await expect(serve({ metrics: { port } })).rejects.toThrow(`metrics.port: cannot listen on 127.0.0.1:${port}`);
});
