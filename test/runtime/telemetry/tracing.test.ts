/** Traces by OpenTelemetry, collected as the SDK of a project would. */
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import example from "../../../generated/index.ts";
import { createApiToken } from "../../../runtime/accounts/api-tokens.ts";
import type { Application } from "../../../runtime/app/application.ts";
import { startServer } from "../../../runtime/app/start.ts";
import { createLogger } from "../../../runtime/base/log.ts";
import { configSchema } from "../../../runtime/config/config.ts";
import { migrate } from "../../../runtime/database/migrations/migrator.ts";
import { freshDatabase } from "../../support/database.ts";
import { secrets } from "../../support/services.ts";

const exporter = new InMemorySpanExporter();

const TRACE = "0af7651916cd43dd8448eb211c80319c";

/** The W3C header, of which the API has no reader by itself. */
const traceparent = {
  inject: () => {},
  extract: (
    outer: ReturnType<typeof context.active>,
    carrier: unknown,
    { get }: { get(of: unknown, key: string): unknown },
  ) =>
    get(carrier, "traceparent") === `00-${TRACE}-b7ad6b7169203331-01`
      ? trace.setSpanContext(outer, { traceId: TRACE, spanId: "b7ad6b7169203331", traceFlags: 1, isRemote: true })
      : outer,
  fields: () => ["traceparent"],
};

beforeEach(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(traceparent);
});

afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
  exporter.reset();
});

/** They work as an object does: on its own fields, which nobody may change. */
class TagHooks {
  #created = 0;
  readonly inTransaction = Object.freeze({ afterCreate: () => void (this.#created += 1) });

  beforeCreate({ data }: { readonly data: Readonly<Record<string, unknown>> }) {
    if (data["slug"] === "bad") throw new Error("no such tag");
    return { ...data, name: `${String(data["name"])} after ${this.#created}` };
  }
}

const serve = async () => {
  const application: Application = {
    ...example,
    extensions: { "api::tag.tag": { hooks: Object.freeze(new TagHooks()) } },
  };
  const database = await freshDatabase("postgres", onTestFinished);
  await migrate(database, "generated/migrations");
  const config = configSchema.parse({ server: { port: 0, host: "127.0.0.1" } });
  const server = await startServer({ config, database, application, secrets, log: createLogger({ level: "silent" }) });
  onTestFinished(() => server.close());
  const token = await createApiToken(database, secrets.tokenSalt, {
    name: "writer",
    type: "full-access",
    permissions: [],
    expiresAt: null,
  });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return { address: `http://127.0.0.1:${server.port}`, headers };
};

/** The spans of the request with that name, itself first. */
const spansOf = async (name: string): Promise<readonly ReadableSpan[]> => {
  const root = (): ReadableSpan | undefined => exporter.getFinishedSpans().find((span) => span.name === name);
  await expect.poll(root).toBeDefined();
  const traceId = root()?.spanContext().traceId;
  return exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
};

test("a request, its check, its statements and its hooks are spans of one trace, without values", async () => {
  const { address, headers } = await serve();
  await fetch(`${address}/api/tags?filters[name]=my-secret`, {
    headers: { ...headers, traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
  }).then((answer) => answer.text());
  const reading = await spansOf("GET /api/tags");
  expect(reading[0]?.spanContext().traceId).toBe(TRACE);
  const names = reading.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["query prepare", "SELECT", "GET /api/tags"]));
  const request = reading.find(({ name }) => name === "GET /api/tags");
  expect(request?.attributes).toMatchObject({
    "http.request.method": "GET",
    "http.route": "/api/tags",
    "http.response.status_code": 200,
    "url.path": "/api/tags",
  });
  const statement = reading.find(({ name }) => name === "SELECT");
  expect(statement?.attributes).toMatchObject({ "db.system.name": "postgresql", "db.operation.name": "SELECT" });
  expect(statement?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  expect(JSON.stringify(reading.map(({ attributes }) => attributes))).not.toContain("my-secret");
});

test("a request to GraphQL says which operation it ran", async () => {
  const { address, headers } = await serve();
  const body = JSON.stringify({ query: "query Names { tags { data { id } } }" });
  expect((await fetch(`${address}/graphql`, { method: "POST", headers, body })).status).toBe(200);
  const request = (await spansOf("POST /graphql")).find(({ name }) => name === "POST /graphql");
  expect(request?.attributes).toMatchObject({ "graphql.operation.type": "query", "graphql.operation.name": "Names" });
});

test("a hook that fails marks its span", async () => {
  const { address, headers } = await serve();
  const body = JSON.stringify({ data: { name: "bad", slug: "bad" } });
  const answer = await fetch(`${address}/api/tags`, { method: "POST", headers, body });
  expect(answer.status).toBe(500);
  const writing = await spansOf("POST /api/tags");
  const hook = writing.find(({ name }) => name === "hook api::tag.tag beforeCreate");
  expect(hook?.status).toMatchObject({ message: "no such tag" });
  expect(writing.find(({ name }) => name === "POST /api/tags")?.status.code).toBe(hook?.status.code);
});

test("hooks run as they do without traces", async () => {
  const { address, headers } = await serve();
  const create = async (slug: string): Promise<unknown> => {
    const body = JSON.stringify({ data: { name: slug, slug } });
    return (await fetch(`${address}/api/tags`, { method: "POST", headers, body })).json();
  };
  expect(await create("a")).toMatchObject({ data: { name: "a after 0" } });
  expect(await create("b")).toMatchObject({ data: { name: "b after 1" } });
  const writing = await spansOf("POST /api/tags");
  expect(writing.map(({ name }) => name)).toContain("hook api::tag.tag inTransaction afterCreate");
});

const broken = (): never => {
  throw new Error("the collector is on fire");
};

test.each([
  ["exporter", new SimpleSpanProcessor({ export: broken, shutdown: broken })],
  ["processor", { onStart: () => {}, onEnd: broken, forceFlush: broken, shutdown: broken }],
  ["processor that is never ready", { onStart: broken, onEnd: broken, forceFlush: broken, shutdown: broken }],
])("requests are answered whatever an %s throws", async (_, processor) => {
  trace.disable();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
  const { address, headers } = await serve();
  for (const slug of ["a", "b"]) {
    const body = JSON.stringify({ data: { name: slug, slug } });
    expect((await fetch(`${address}/api/tags`, { method: "POST", headers, body })).status).toBe(201);
  }
});

test("requests are answered whatever reading their traceparent throws", async () => {
  propagation.disable();
  propagation.setGlobalPropagator({ ...traceparent, extract: broken });
  const { address, headers } = await serve();
  const answer = await fetch(`${address}/api/tags`, { headers: { ...headers, traceparent: "00-" } });
  expect(answer.status).toBe(200);
});
