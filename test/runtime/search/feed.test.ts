/** What a search engine outside of the database is sent, and when. */
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { type EngineDocument, indexName, type SearchEngine } from "../../../runtime/search/engine.ts";
import { createFeed } from "../../../runtime/search/feed.ts";
import { meilisearch } from "../../../runtime/search/meilisearch.ts";
import type { AuthApp } from "../../support/auth-app.ts";
import { exampleApp } from "../../support/example-app.ts";
import { openMeilisearch } from "../../support/meilisearch.ts";
import { SOON } from "../../support/soon.ts";
import { application, servePages } from "./pages.ts";

const { app, config, database, full, made, write } = await servePages("postgres");

/** An engine in memory, with functions of it replaced. */
const memory = (replaced: Partial<SearchEngine> = {}) => {
  const documents = new Map<string, EngineDocument>();
  const prepared: (readonly string[])[] = [];
  const engine: SearchEngine = {
    async prepare(index, attributes) {
      if (index.includes("page")) prepared.push(attributes);
      return true;
    },
    filled: async () => {},
    async put(_index, sent) {
      for (const each of sent) documents.set(each.id, each);
    },
    async remove(_index, ids) {
      for (const id of ids) documents.delete(id);
    },
    find: async () => [],
    ...replaced,
  };
  return { documents, engine, prepared };
};

const feedOf = (engine: SearchEngine, { services }: AuthApp) => createFeed(engine, services.queries.schema, services);

const handlerOf = (feed: ReturnType<typeof feedOf>) => {
  const handlers = feed.beside<never>()["entry.update"];
  const handler = typeof handlers === "object" ? handlers["search engine"] : undefined;
  if (!handler) throw new Error("There is no handler");
  return (documentId: string) => handler({ uid: "api::page.page", documentId });
};

/** Fills an engine until it has a text. */
const filledWith = async (text: string, { documents, engine }: ReturnType<typeof memory>, from: AuthApp = app) => {
  const stop = await feedOf(engine, from).feature.start();
  onTestFinished(stop);
  await vi.waitFor(() => expect(JSON.stringify([...documents.values()])).toContain(text), SOON);
  return JSON.stringify([...documents.values()]);
};

test("a state that is sent late does not replace the one after it", async () => {
  const { documentId } = made.parse((await write("/api/pages", { title: "Before" })).body).data;
  const { documents, engine } = memory();
  const changed = handlerOf(feedOf(engine, app));
  let isLate = false;
  const late = memory({
    async put(index, sent) {
      if (!isLate) {
        isLate = true;
        await write(`/api/pages/${documentId}`, { title: "After" }, "PUT");
        await changed(documentId);
      }
      return engine.put(index, sent);
    },
    remove: (index, ids) => engine.remove(index, ids),
  });
  await handlerOf(feedOf(late.engine, app))(documentId);
  expect([...documents.values()]).toMatchObject([{ text: { title: "After" } }]);

  isLate = false;
  const removed = memory({
    async put(index, sent) {
      await app.send("DELETE", `/api/pages/${documentId}`, { token: full });
      await changed(documentId);
      return engine.put(index, sent);
    },
    remove: (index, ids) => engine.remove(index, ids),
  });
  await handlerOf(feedOf(removed.engine, app))(documentId);
  expect([...documents.keys()]).toEqual([]);
});

test("what is private by its declaration or the configuration stays here, and an index that has it is filled anew", async () => {
  const open = memory();
  const sent = await filledWith("River", open);
  expect(sent).toMatch(/orchard.*Lantern/);
  expect(sent).not.toMatch(/treasure|whisper|dungeon/);
  const rest = { privateAttributes: ["shown", "text"] };
  const closed = memory();
  const less = await filledWith(
    "River",
    closed,
    await exampleApp(afterAll, database, { ...config, rest }, application),
  );
  expect(less).toContain("Lantern");
  expect(less).not.toMatch(/orchard|running|treasure|whisper|dungeon/);
  const narrow = memory();
  const inner = { privateAttributes: ["shown"] };
  await filledWith("River", narrow, await exampleApp(afterAll, database, { ...config, rest: inner }, application));
  const again = memory();
  await filledWith("River", again);
  expect(again.prepared).toEqual(open.prepared);
  expect(narrow.prepared).not.toEqual(open.prepared);
});

test("an engine that is away when the server starts is filled later", async () => {
  let isAway = true;
  const absent = memory({
    async prepare(index) {
      if (!isAway || !index.includes("page")) return true;
      isAway = false;
      throw new Error("not there yet");
    },
  });
  expect(await filledWith("River", absent)).toContain("Houses");
});

/** An engine that knows whether it was filled, and counts what it is sent of pages. */
const counted = (put?: SearchEngine["put"]) => {
  const sent: number[] = [];
  let isFilled = false;
  const memorized = memory({
    prepare: async (index) => index.includes("page") && !isFilled,
    async filled() {
      isFilled = true;
    },
  });
  const engine: SearchEngine = {
    ...memorized.engine,
    async put(index, documents) {
      sent.push(documents.length);
      await put?.(index, documents);
      await memorized.engine.put(index, documents);
    },
  };
  return { ...memorized, engine, sent, isFilled: () => isFilled };
};

test("of several processes, one fills an index", async () => {
  const { engine, sent, isFilled } = counted(async () => {
    // The others have time to begin.
    await Promise.all([1, 2].map(() => app.send("GET", "/api/pages", { token: full })));
  });
  const stops = await Promise.all([1, 2, 3].map(() => feedOf(engine, app).feature.start()));
  for (const stop of stops) onTestFinished(stop);
  await vi.waitFor(() => expect(isFilled()).toBe(true), SOON);
  await Promise.all(stops.map((stop) => stop()));
  expect(sent).toHaveLength(1);
});

test("a process that dies while it fills an index is succeeded by another", async () => {
  const ends: (() => void)[] = [];
  const dead = new Promise<void>((resolve) => ends.push(resolve));
  const first = counted(() => dead);
  onTestFinished(await feedOf(first.engine, app).feature.start());
  await vi.waitFor(() => expect(first.sent).toHaveLength(1), SOON);
  const second = counted();
  onTestFinished(await feedOf(second.engine, app).feature.start());
  await database.rows(
    `select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    [],
  );
  await vi.waitFor(() => expect(second.isFilled()).toBe(true), SOON);
  expect(JSON.stringify([...second.documents.values()])).toContain("River");
  for (const end of ends) end();
});

test("each type has an index of its own", () => {
  const names = ["api::a-b.c", "api::a.b-c", "api::a_b.c", "plugin::a.c", "api::a.c"].map(indexName);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[\w-]+$/);
});

test("an index that is missing is no empty one", async () => {
  const { url } = await openMeilisearch("a key", onTestFinished);
  const engine = meilisearch({ url, key: "a key" });
  const query = { words: "river", locale: null };
  await expect(engine.find("pages", query)).rejects.toMatchObject({ status: 503 });
  await engine.prepare("pages", ["title"]);
  expect(await engine.find("pages", query)).toEqual([]);
});
