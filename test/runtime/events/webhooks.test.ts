/** What receivers of webhooks get, and what becomes of deliveries that they do not take. */
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { updateFileInfo } from "../../../runtime/media/store.ts";
import { at } from "../../support/auth-app.ts";
import { SOON } from "../../support/soon.ts";
import { deliveriesIn, eventsDatabase, receiver, serve, tag } from "./world.ts";

const database = await eventsDatabase();

const deliveriesOf = (consumer: string) => deliveriesIn(database, { consumer });

/** Waits until every delivery to it has ended, and returns them. */
const endedOf = (consumer: string) =>
  vi.waitFor(async () => {
    const found = await deliveriesOf(consumer);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ state }) => state === "pending")).toEqual([]);
    return found;
  }, SOON);

test("a receiver that knows the secret can compute the signature of what it gets", async () => {
  const { received, url } = await receiver();
  const key = Buffer.from("the key of this test");
  const secret = `whsec_${key.toString("base64")}`;
  const { tags } = await serve(database, { webhooks: [{ name: "signed", url, secret, headers: { "X-Own": "1" } }] });
  const { documentId } = await tags.create({ data: tag() });
  await vi.waitUntil(() => received.length > 0, SOON);
  const [first] = received;
  if (!first) throw new Error("nothing was received");
  const { headers, body, event } = first;
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  expect(headers).toMatchObject({
    "webhook-signature": `v1,${createHmac("sha256", key).update(text).digest("base64")}`,
    "x-strapi-event": "entry.create",
    "x-own": "1",
    "content-type": "application/json",
  });
  const library = new Webhook(secret).verify(
    body,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  );
  expect(library).toEqual(JSON.parse(body));
  expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(60);
  expect(JSON.parse(body)).toMatchObject({ model: "tag", uid: "api::tag.tag", entry: { documentId, articles: [] } });
  expect(event).toBe("entry.create");
});

test("files are told of when they are stored, changed, replaced and deleted", async () => {
  const { received, url } = await receiver();
  const { send, upload, token, services } = await serve(database, {
    webhooks: [
      { name: "files", url, types: ["plugin::upload.file"] },
      { name: "documents", url: `${url}/documents`, types: ["api::tag.tag"] },
    ],
  });
  const bearer = await token();
  const part = { name: "a.svg", type: "image/svg+xml", content: "<svg xmlns='http://www.w3.org/2000/svg'/>" };
  const [{ id, documentId }] = (await upload([part], bearer)).body as [{ id: number; documentId: string }];
  await updateFileInfo(services, id, { alternativeText: "A square" });
  expect((await send("DELETE", `/api/upload/files/${id}`, { token: bearer })).status).toBe(200);
  await vi.waitUntil(() => received.length === 3, SOON);
  expect(received.map(({ event, body }) => [event, JSON.parse(body).media.alternativeText])).toEqual([
    ["media.create", null],
    ["media.update", "A square"],
    ["media.delete", "A square"],
  ]);
  expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({
    event: "media.create",
    media: { documentId, ext: ".svg" },
  });
  expect(received.every(({ headers }) => headers["x-strapi-event"] !== undefined)).toBe(true);
});

test("a receiver that answers 503 with Retry-After is asked again no sooner, with the same id and body", async () => {
  const times: number[] = [];
  const { received, url } = await receiver((response, number) => {
    times.push(Date.now());
    if (number === 1) response.writeHead(503, { "retry-after": "2" }).end();
    else response.writeHead(204).end();
  });
  const { tags } = await serve(database, { webhooks: [{ name: "busy", url }] });
  await tags.create({ data: tag() });
  expect(await endedOf("busy")).toMatchObject([{ state: "done", attempts: 2, status: 204 }]);
  const [first = 0, second = 0] = times;
  expect(second - first).toBeGreaterThanOrEqual(1990);
  expect(received[0]).toMatchObject({ id: received[1]?.id, body: received[1]?.body });
});

test("after the last attempt, and after a 410 at once, a delivery is parked and the next one goes on", async () => {
  const failing = await receiver((response, number) => response.writeHead(number <= 4 ? 500 : 204).end());
  const gone = await receiver((response, number) => response.writeHead(number === 1 ? 410 : 204).end());
  const { tags } = await serve(database, {
    webhooks: [
      { name: "failing", url: failing.url },
      { name: "gone", url: gone.url },
    ],
  });
  const { documentId } = await tags.create({ data: tag() });
  await tags.update(documentId, { data: { name: tag().name } });
  expect(await endedOf("failing")).toMatchObject([
    { event: "entry.update", state: "done", attempts: 1 },
    { event: "entry.create", state: "parked", attempts: 4, status: 500, error: "answered 500" },
  ]);
  expect(await endedOf("gone")).toMatchObject([
    { event: "entry.update", state: "done" },
    { event: "entry.create", state: "parked", attempts: 1, status: 410 },
  ]);
});

test("private addresses are refused however they are written, by name and after a redirect as well", async () => {
  const { received, port } = await receiver();
  const hosts = ["169.254.169.254", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "0.0.0.0", "2130706433"];
  const redirecting = await receiver(
    (response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/hook` }).end(),
    "127.0.0.2",
  );
  const webhooks = hosts.map((host, index) => ({ name: `private-${index}`, url: `http://${host}:${port}/hook` }));
  const { tags } = await serve(database, {
    allowAddresses: ["127.0.0.2"],
    retrySeconds: [],
    webhooks: [...webhooks, { name: "redirecting", url: redirecting.url }],
  });
  await tags.create({ data: tag() });
  for (const { name } of webhooks) {
    const [delivery] = await endedOf(name);
    expect(delivery).toMatchObject({ state: "parked", status: null });
    expect(delivery?.error).toContain("is a private address; events.allowAddresses may allow it");
  }
  const [redirected] = await endedOf("redirecting");
  expect(redirected).toMatchObject({ state: "parked", status: 302, error: "302: redirects are not followed" });
  expect(redirecting.received).toHaveLength(1);
  expect(received).toEqual([]);
});

test("a receiver that hangs delays no other one, and one that answers ten megabytes is read no further", async () => {
  const hanging = await receiver(() => {});
  const written = { bytes: 0 };
  const large = await receiver((response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(1_000_000);
    const write = (left: number): void => {
      if (left === 0 || response.destroyed) return void response.end();
      response.write(chunk, (error) => {
        if (error) return;
        written.bytes += chunk.length;
        write(left - 1);
      });
    };
    write(10);
  });
  const good = await receiver();
  const { tags } = await serve(database, {
    timeoutSeconds: 20,
    webhooks: [
      { name: "hanging", url: hanging.url },
      { name: "large", url: large.url },
      { name: "good", url: good.url },
    ],
  });
  await Promise.all(Array.from({ length: 20 }, () => tags.create({ data: tag() })));
  expect(await endedOf("good")).toHaveLength(20);
  expect((await endedOf("large")).map(({ state, attempts }) => [state, attempts])).toEqual(
    Array.from({ length: 20 }, () => ["done", 1]),
  );
  expect(written.bytes).toBeLessThan(10 * 10_000_000);
  const waiting = await deliveriesOf("hanging");
  expect(waiting).toHaveLength(20);
  expect(waiting.every(({ state }) => state === "pending")).toBe(true);
  expect(hanging.received.length).toBeLessThanOrEqual(10);
});

test("a receiver that does not answer in time is asked again", async () => {
  const { url } = await receiver((response, number) => (number === 1 ? undefined : response.writeHead(204).end()));
  const { tags } = await serve(database, { timeoutSeconds: 0.3, webhooks: [{ name: "late", url }] });
  await tags.create({ data: tag() });
  expect(await endedOf("late")).toMatchObject([{ state: "done", attempts: 2, status: 204 }]);
});

test("of webhooks with one name that are added at once, one is there, and its secret is the one that was answered", async () => {
  const { received, url } = await receiver();
  const { send, token } = await serve(database, { webhooks: [] });
  const all = await token();
  const path = "/api/events/webhooks";
  // What pausing leaves behind when the webhook is removed meanwhile.
  await database.rows("insert into event_webhooks (name, settings, paused) values ('twin', null, true)");
  const add = (number: number) =>
    send("POST", path, { body: { data: { name: "twin", url: `${url}/${number}` } }, token: all });
  const answers = await Promise.all([0, 1, 2, 3, 4].map(add));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400, 400]);
  expect((await send("GET", path, { token: all })).body).toMatchObject({ data: [{ name: "twin", isPaused: false }] });
  await send("POST", `${path}/twin/test`, { token: all });
  const [{ body = "", headers = {} } = {}] = received;
  const secret = String(at(answers.find(({ status }) => status === 201)?.body, "data.secret"));
  const sent = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  expect(new Webhook(secret).verify(body, Object.fromEntries(sent))).toMatchObject({ event: "trigger-test" });
  expect((await send("DELETE", `${path}/twin`, { token: all })).status).toBe(204);
});

test("webhooks are added, tried, paused, listed and removed over REST, each with a permission of its own", async () => {
  const { received, url } = await receiver();
  const { send, token, tags } = await serve(database, {
    webhooks: [{ name: "declared", url: "https://site.example/secret" }],
  });
  const all = await token();
  const limited = await token("plugin::events.webhook.list");
  const path = "/api/events/webhooks";
  const body = { data: { name: "rest", url, events: ["entry.create"] } };
  expect((await send("POST", path, { body, token: limited })).status).toBe(403);
  const { body: made, status } = await send("POST", path, { body, token: all });
  expect([status, made]).toMatchObject([
    201,
    { data: { name: "rest", isSigned: true, secret: expect.stringMatching(/^whsec_/) } },
  ]);
  const statusOf = async (method: string, below: string, given?: object) =>
    (await send(method, `${path}${below}`, { token: all, ...(given ? { body: given } : {}) })).status;
  expect(await statusOf("POST", "", body)).toBe(400);
  expect(await statusOf("POST", "", { data: { name: "x", url: "ftp://site.example" } })).toBe(400);
  expect(await statusOf("DELETE", "/declared")).toBe(400);
  expect(await statusOf("POST", "/nobody/test")).toBe(404);
  expect((await send("POST", `${path}/rest/test`, { token: all })).body).toMatchObject({
    data: { isDone: true, status: 204 },
  });
  expect(received[0]).toMatchObject({ event: "trigger-test" });
  await send("POST", `${path}/rest/pause`, { token: all });
  for (let number = 0; number < 3; number++) await tags.create({ data: tag() });
  const { body: listed, text } = await send("GET", path, { token: limited });
  const rest = { name: "rest", isDeclared: false, isPaused: true, pending: 3, events: ["entry.create"] };
  expect(listed).toMatchObject({ data: [{ name: "declared", isDeclared: true, isSigned: false }, rest] });
  expect(text).not.toMatch(/whsec_|\/secret/);
  const pageOf = async (query: string) => {
    const { body: page } = await send("GET", `/api/events/deliveries?consumer=rest&limit=2${query}`, { token: all });
    return { data: at(page, "data"), next: at(page, "meta.next") };
  };
  const first = await pageOf("");
  const second = await pageOf(`&after=${String(first.next)}`);
  expect([first.data, second.data]).toMatchObject([
    [{ consumer: "rest" }, { state: "pending" }],
    [{ consumer: "rest" }],
  ]);
  expect(second.next).toBeNull();
  await send("POST", `${path}/rest/resume`, { token: all });
  await vi.waitUntil(() => received.length === 4, SOON);
  expect(await statusOf("DELETE", "/rest")).toBe(204);
  expect(await statusOf("DELETE", "/rest")).toBe(404);
});
