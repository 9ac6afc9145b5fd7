/** The stream of events over HTTP: what listeners are told, from when on, and when they are told nothing more. */
import { connect } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { can } from "../../../runtime/access/row-rules.ts";
import { announceTokens, revokeApiToken } from "../../../runtime/accounts/api-tokens.ts";
import { defineExtension } from "../../../runtime/app/extension.ts";
import { registration } from "../../support/auth-app.ts";
import { deferred } from "../../support/deferred.ts";
import { blocksOf } from "../../support/doc-blocks.ts";
import { served } from "../../support/served-app.ts";
import { SOON } from "../../support/soon.ts";
import { type Asked, endsWithWrites, LISTEN, listenTo, upToDate } from "./listening.ts";
import { eventsDatabase, serve, tag } from "./world.ts";

const database = await eventsDatabase();

/** A process with a stream behind a port, and documents of its own. */
const streaming = async (events: Parameters<typeof serve>[1] = {}, given?: Parameters<typeof serve>[2]) => {
  const app = await serve(database, { stream: {}, ...events }, given);
  const { port } = await served(app, onTestFinished);
  return { ...app, port, listen: (asked?: Asked) => listenTo(port, asked) };
};

test("a listener is told of what it may read, and of no other type, draft, locale or attribute", async () => {
  const app = await streaming({}, { fields: { public: { "api::article.article": ["title"] } } });
  await app.allowPublic(LISTEN, "api::article.article.find", "api::tag.tag.find");
  const seeing = await app.listen();
  const editing = await app.listen({ token: await app.token() });
  const german = await app.listen({ token: await app.token(), query: "?locales=de&types=api::article.article" });
  const articles = app.services.documents("api::article.article");
  const { documentId } = await articles.create({ data: { title: "A draft", slug: "a-draft" }, status: "draft" });
  await articles.update(documentId, { data: { title: "Live", excerpt: "hidden" }, status: "published" });
  await articles.update(documentId, { data: { title: "Deutsch" }, locale: "de", status: "draft" });
  await app.services.documents("api::author.author").create({ data: { name: "Ann", slug: "ann" } });
  // What is not public any more when a listener's turn comes is not shown to it.
  await upToDate(app, seeing);
  await articles.unpublish(documentId);
  await upToDate(app, seeing);
  await upToDate(app, editing);
  const seen = seeing.told.filter(({ uid }) => uid !== "api::tag.tag");
  expect(seen.map(({ event, status, entry }) => [event, status, entry?.["title"]])).toEqual([
    ["entry.publish", "published", "Live"],
    ["entry.unpublish", "published", undefined],
  ]);
  expect(Object.keys(seen[0]?.entry ?? {}).toSorted()).not.toContain("excerpt");
  expect(JSON.stringify(seen)).not.toContain("hidden");
  const shown = (await blocksOf("run/events.md")).find(({ language }) => language === "text")?.text ?? "";
  expect(Object.keys(JSON.parse(/^data: (.*)$/m.exec(shown)?.[1] ?? ""))).toEqual(Object.keys(seen[0] ?? {}));
  expect(editing.told.map(({ event, uid }) => `${event} ${uid}`)).toContain("entry.create api::author.author");
  expect(editing.told.find(({ entry }) => entry?.["excerpt"])?.entry).toMatchObject({
    excerpt: "hidden",
  });
  expect(german.told.map(({ locale, entry }) => [locale, entry?.["title"]])).toEqual([["de", "Deutsch"]]);
  expect((await app.listen({ token: await app.token("api::tag.tag.find") })).answer.status).toBe(403);
});

test("a subscription is told the same, from after an event on, and ends with the right to listen, or with the server, but not as if it were complete", async () => {
  const app = await streaming();
  const token = await app.token();
  const first = await app.listen({ token });
  await upToDate(app, first);
  const { documentId } = await app.tags.create({ data: tag() });
  const subscription = `subscription { contentEvents(types: ["api::tag.tag"], after: "${first.told.at(-1)?.id}") {
    id event uid documentId status entry } }`;
  const subscribed = await app.listen({ token, subscription });
  await upToDate(app, subscribed);
  expect(subscribed.told[0]).toMatchObject({ event: "entry_create", uid: "api::tag.tag", documentId, status: null });
  expect(subscribed.told[0]?.entry).toMatchObject({ documentId });
  const unknown = await app.listen({ token, subscription: subscription.replace(/after: "\w+"/, 'after: "evt_none"') });
  await vi.waitUntil(() => unknown.counts().resets === 1, SOON);
  const shown = (await blocksOf("run/events.md")).find(({ language }) => language === "graphql")?.text ?? "";
  const { headers } = (await app.listen({ token, subscription: shown })).answer;
  expect(headers.get("content-type")).toContain("text/event-stream");
  const refused = await app.graphql(subscription, {}, { token });
  expect([refused.status, refused.text]).toEqual([406, expect.stringContaining("text/event-stream")]);
  const forbidden = await app.listen({ token: await app.token("api::tag.tag.find"), subscription });
  expect(await forbidden.answer.text()).toContain("Forbidden access");
  const [[newest] = []] = await database.rows("select name from api_tokens order by id desc offset 1 limit 1");
  await revokeApiToken(database, String(newest));
  await announceTokens(database);
  await endsWithWrites(app, subscribed);
  const other = await app.listen({ token: await app.token(), subscription });
  app.services.features[0]?.drain?.();
  await other.ended;
  expect([subscribed.counts().completes, other.counts().completes]).toEqual([0, 0]);
});

test("a hook that narrows what a caller reads narrows what it is told", async () => {
  const app = await streaming(
    {},
    {
      extensions: {
        "api::tag.tag": defineExtension<"api::tag.tag">({
          hooks: {
            beforeRead: ({ caller }) => ({
              filters: caller.kind === "public" ? { name: { $startsWith: "open" } } : {},
            }),
          },
        }),
      },
    },
  );
  await app.allowPublic(LISTEN, "api::tag.tag.find");
  const listener = await app.listen();
  const secret = await app.tags.create({ data: { ...tag(), name: "secret" } });
  await app.tags.delete(secret.documentId);
  const open = await app.tags.create({ data: { ...tag(), name: "open" } });
  await vi.waitUntil(() => listener.told.length > 0, SOON);
  expect(listener.told.map(({ documentId }) => documentId)).toEqual([open.documentId]);
});

test("who may read some documents only is told of these, whoever else of its role listens", async () => {
  const READ = "api::tag.tag.find";
  const own = can(READ, { where: ({ user }) => ({ slug: { $startsWith: `of-${user.id}-` } }) });
  const app = await streaming({}, { permissions: { authenticated: [LISTEN, own] } });
  await app.allowUsers(LISTEN, READ);
  const [ann, bob] = await Promise.all(
    ["ann", "bob"].map(async (username) => {
      const { body } = await app.send("POST", "/api/auth/local/register", { body: registration(username) });
      const { jwt, user } = body as { jwt: string; user: { id: number } };
      return { id: user.id, listener: await app.listen({ token: jwt }) };
    }),
  );
  if (!ann || !bob) throw new Error("nobody was registered");
  const tagOf = (id: number) => app.tags.create({ data: { name: tag().name, slug: `of-${id}-x` } });
  const [first, gone] = [await tagOf(ann.id), await app.tags.create({ data: tag() })];
  await app.tags.delete(gone.documentId);
  const second = await tagOf(bob.id);
  await vi.waitUntil(() => ann.listener.told.length > 0 && bob.listener.told.length > 0, SOON);
  expect(ann.listener.told.map(({ documentId }) => documentId)).toEqual([first.documentId]);
  expect(bob.listener.told.map(({ documentId }) => documentId)).toEqual([second.documentId]);
});

test("a listener that comes again is told what it has missed, by any process, and to read anew when that is not known", async () => {
  const [first, second] = [await streaming(), await streaming()];
  const token = await first.token();
  const before = await first.listen({ token });
  await upToDate(first, before);
  before.leave();
  const after = before.told.at(-1)?.id ?? "";
  const missed = [];
  for (let index = 0; index < 5; index += 1) missed.push((await first.tags.create({ data: tag() })).documentId);
  const again = await second.listen({ token, after });
  await upToDate(second, again);
  expect(again.told.slice(0, -1).map(({ documentId }) => documentId)).toEqual(missed);
  expect(again.counts().resets).toBe(0);
  const unknown = await second.listen({ token, after: "evt_unknown" });
  await upToDate(first, unknown);
  expect([unknown.counts().resets, unknown.told.length]).toEqual([1, 1]);
});

test("nothing is told before what an older transaction may still commit", async () => {
  const app = await streaming();
  const listener = await app.listen({ token: await app.token() });
  await upToDate(app, listener);
  const [begun, held] = [deferred(), deferred()];
  const slow = app.services.transaction(async ({ documents }) => {
    await documents("api::tag.tag").create({ data: { ...tag(), name: "slow" } });
    begun.resolve();
    await held.promise;
  });
  await begun.promise;
  listener.told.length = 0;
  const quick = await Promise.all(Array.from({ length: 20 }, () => app.tags.create({ data: tag() })));
  held.resolve();
  await slow;
  await upToDate(app, listener);
  expect(listener.told.map(({ entry }) => entry?.["name"])).toEqual(
    expect.arrayContaining(["slow", ...quick.map(({ name }) => name)]),
  );
  expect(listener.told).toHaveLength(22);
  expect(listener.told[0]?.entry).toMatchObject({ name: "slow" });
});

test("a stream ends before it tells anything to a token that was revoked, or a role that lost the permission", async () => {
  const app = await streaming();
  const token = await app.token(LISTEN, "api::tag.tag.find");
  const listener = await app.listen({ token });
  await upToDate(app, listener);
  const [newest] = await database.rows("select name from api_tokens order by id desc limit 1");
  await revokeApiToken(database, String(newest?.[0]));
  await announceTokens(database);
  const count = listener.told.length;
  await endsWithWrites(app, listener);
  expect(listener.told.length).toBe(count);

  await app.allowPublic(LISTEN, "api::tag.tag.find");
  const visitor = await app.listen();
  await upToDate(app, visitor);
  const known = visitor.told.length;
  await app.allowPublic();
  await vi.waitUntil(async () => (await app.send("GET", "/api/tags")).status !== 200, SOON);
  await app.tags.create({ data: tag() });
  await visitor.ended;
  expect(visitor.told).toHaveLength(known);

  // What happened while nobody listened is not told to the next one.
  await app.tags.create({ data: tag() });
  await app.allowPublic(LISTEN, "api::tag.tag.find");
  await vi.waitUntil(async () => (await app.send("GET", "/api/tags")).status === 200, SOON);
  const next = await app.listen();
  await upToDate(app, next);
  expect(next.told).toHaveLength(1);
});

test("code of the project that fails for one listener holds up no other", async () => {
  const app = await streaming(
    {},
    {
      extensions: {
        "api::tag.tag": defineExtension<"api::tag.tag">({
          hooks: {
            beforeRead({ caller }) {
              if (caller.kind === "public") throw new Error("a fault of the project");
              return {};
            },
          },
        }),
      },
    },
  );
  await app.allowPublic(LISTEN, "api::tag.tag.find");
  await app.listen();
  const other = await app.listen({ token: await app.token() });
  await upToDate(app, other);
  expect(app.logged()).toContain("a fault of the project");
});

test("a GET listens to a subscription until its client leaves, and a HEAD to nothing", async () => {
  const app = await streaming({ stream: { listeners: 1, heartbeatSeconds: 0.05 } });
  const listeners = () => Reflect.get(app.services.features[0]?.stream ?? {}, "size");
  const token = await app.token();
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream", "content-type": "application/json" };
  const ask = (path: string) => fetch(`http://127.0.0.1:${app.port}${path}`, { method: "HEAD", headers });
  expect((await ask("/api/events")).status).toBe(200);
  const subscription = "subscription { contentEvents { id } }";
  const { leave } = await app.listen({ token, subscription, byGet: true });
  expect(listeners()).toBe(1);
  leave();
  await vi.waitUntil(() => listeners() === 0, SOON);
  await ask(`/graphql?query=${encodeURIComponent(subscription)}`);
  expect(listeners()).toBe(0);
});

test("files are told to who may find files", async () => {
  const app = await streaming();
  const seeing = await app.listen({ token: await app.token() });
  const other = await app.listen({ token: await app.token(LISTEN, "api::tag.tag.find") });
  const part = { name: "b.svg", type: "image/svg+xml", content: "<svg xmlns='http://www.w3.org/2000/svg'/>" };
  await app.upload([part], await app.token());
  await upToDate(app, seeing);
  await upToDate(app, other);
  expect(seeing.told[0]).toMatchObject({ event: "media.create", uid: null, model: "file", entry: { name: "b.svg" } });
  expect(other.told.map(({ event }) => event)).toEqual(["entry.create", "entry.create"]);
});

test("listeners that hear nothing get signs of life, and there are no more than there may be", async () => {
  const app = await streaming({ stream: { heartbeatSeconds: 0.05, listeners: 2 } });
  const token = await app.token();
  const [one, two] = [await app.listen({ token }), await app.listen({ token })];
  await vi.waitUntil(() => one.counts().beats > 1 && two.counts().beats > 1, SOON);
  expect((await app.listen({ token })).answer.status).toBe(503);
  one.leave();
  await vi.waitUntil(async () => (await app.listen({ token })).answer.status === 200, SOON);
});

const subscribing = JSON.stringify({ query: "subscription { contentEvents { id entry } }" });

test.for([
  ["the route", "GET /api/events", ""],
  ["a subscription", "POST /graphql", subscribing],
])(
  "a listener of %s that does not read is cut off after few megabytes, and holds up nobody",
  async ([, line, sent = ""]) => {
    const app = await streaming();
    const printed = vi.spyOn(console, "error");
    const token = await app.token();
    const reading = await app.listen({ token, query: "?types=api::article.article" });
    const socket = connect(app.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.pause();
    const head = `${line} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: ${sent.length}\r\nAuthorization: Bearer ${token}\r\n\r\n${sent}`);
    const closed = new Promise((done) => socket.once("close", done).once("error", done));
    const articles = app.services.documents("api::article.article");
    const excerpt = "x".repeat(250);
    const body = [{ type: "paragraph", children: [{ type: "text", text: "y".repeat(1_000_000) }] }] as never;
    const data = { title: "Long", slug: "long", excerpt, body };
    const { documentId } = await articles.create({ data, status: "draft" });
    const listeners = () => Number(Reflect.get(app.services.features[0]?.stream ?? {}, "size"));
    await vi.waitUntil(() => listeners() === 2, SOON);
    let written = 1;
    await vi.waitUntil(
      async () => {
        await articles.update(documentId, { data: { title: `Long ${written}` }, status: "draft" });
        written += 1;
        return listeners() === 1;
      },
      { ...SOON, interval: 1 },
    );
    await vi.waitUntil(() => reading.told.length === written, SOON);
    expect(written).toBeLessThan(50);
    socket.resume();
    await closed;
    expect([printed.mock.calls, app.logged()]).toEqual([[], expect.stringContaining("cut off")]);
  },
);

test("what asks for what there is not is refused, and so is a path that a content type has", async () => {
  const app = await streaming();
  const token = await app.token();
  const answers = await Promise.all(
    ["?events=entry.publsh", "?types=api::tag.tga"].map(
      async (query) => (await app.send("GET", `/api/events${query}`, { token })).text,
    ),
  );
  expect(answers[0]).toContain('events: there is no \\"entry.publsh\\". Did you mean \\"entry.publish\\"?');
  expect(answers[1]).toContain('types: there is no \\"api::tag.tga\\"');
  await expect(serve(database, { stream: { path: "/tags" } })).rejects.toThrow(
    "events.stream.path: /tags is a path of api::tag.tag. Give the stream another one.",
  );
});
