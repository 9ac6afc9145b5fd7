/** Events of several processes, of code, of lost databases, and what writes cost that nobody hears of. */
import postgres from "postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventsConfig, webhookConfig } from "../../../runtime/config/events.ts";
import { type Database, notify } from "../../../runtime/database/database.ts";
import { DatabaseLostError } from "../../../runtime/database/fault.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { addWebhook, EVENTS_CHANNEL, removeWebhook } from "../../../runtime/events/administration.ts";
import { deleteOld } from "../../../runtime/events/retention.ts";
import { freshPostgresUrl, recording } from "../../support/database.ts";
import { blocksOf } from "../../support/doc-blocks.ts";
import { exampleApp } from "../../support/example-app.ts";
import { SOON } from "../../support/soon.ts";
import { acting, createEventsTables, deliveriesIn, eventsDatabase, receiver, serve, tag } from "./world.ts";

const database = await eventsDatabase();

test("two processes deliver each event once, and those of a document in their order", async () => {
  const { received, url } = await receiver();
  const webhooks = [{ name: "shared", url }];
  const processes = [await serve(database, { webhooks }), await serve(database, { webhooks })] as const;
  const write = async (index: number): Promise<void> => {
    const { documentId } = await processes[0].tags.create({ data: tag() });
    for (let round = 0; round < 4; round += 1) {
      const { tags } = processes[(index + round) % 2 === 0 ? 0 : 1];
      await tags.update(documentId, { data: { name: `${documentId} ${round}` } });
    }
  };
  await Promise.all(Array.from({ length: 12 }, (_, index) => write(index)));
  await vi.waitUntil(() => received.length >= 60, SOON);
  await vi.waitFor(async () => expect(await deliveriesIn(database, { state: "pending" })).toEqual([]), SOON);
  expect(new Set(received.map(({ id }) => id)).size).toBe(60);
  expect(received).toHaveLength(60);
  for (const documentId of new Set(received.map((each) => each.documentId))) {
    const events = received.filter((each) => each.documentId === documentId);
    expect(events.map(({ event }) => event)).toEqual(["entry.create", ...Array(4).fill("entry.update")]);
    expect(events.slice(1).map(({ name }) => name)).toEqual([0, 1, 2, 3].map((round) => `${documentId} ${round}`));
  }
});

test("a webhook that is added reaches processes that run, and a removed one leaves nothing behind", async () => {
  const { received, url } = await receiver();
  const { tags } = await serve(database, {});
  await addWebhook(acting(database), webhookConfig.parse({ name: "added", url, events: ["entry.create"] }));
  await vi.waitUntil(async () => {
    await tags.create({ data: tag() });
    return received.length > 0;
  }, SOON);
  await removeWebhook(acting(database), "added");
  expect(await deliveriesIn(database, { consumer: "added" })).toEqual([]);
});

test("while the database is lost, a consumer says so once, however often it is woken, and delivers afterwards", async () => {
  const { received, url } = await receiver();
  const state = { isLost: false, asked: 0 };
  const unlessLost =
    <Parameters extends readonly unknown[], Result>(work: (...given: Parameters) => Promise<Result>) =>
    async (...given: Parameters): Promise<Result> => {
      state.asked += 1;
      if (state.isLost) throw new DatabaseLostError("The database is not available");
      return work(...given);
    };
  const losing: Database = {
    ...database,
    rows: unlessLost(database.rows),
    transaction: unlessLost(database.transaction),
  };
  const { tags, services } = await serve(losing, { webhooks: [{ name: "site", url }] });
  const warn = vi.spyOn(services.log, "warn");
  await tags.create({ data: tag() });
  await vi.waitUntil(() => received.length === 1, SOON);
  state.isLost = true;
  for (let time = 0; time < 4; time += 1) {
    const { asked } = state;
    await notify(database, EVENTS_CHANNEL);
    await vi.waitUntil(() => state.asked > asked, SOON);
  }
  expect(warn.mock.calls.map(([, message]) => message)).toEqual(["due deliveries could not be read"]);
  const shown = (await blocksOf("run/operations.md")).find(({ language }) => language === "text")?.text;
  expect(shown).toContain('"msg":"due deliveries could not be read"');
  state.isLost = false;
  await tags.create({ data: tag() });
  await vi.waitUntil(() => received.length === 2, SOON);
});

test("code receives events, each again after it has thrown, and under a name of its own", async () => {
  const calls: string[] = [];
  const { tags } = await serve(
    database,
    {},
    {
      handlers: {
        "entry.create": ({ id, uid, entry }) => {
          const isFirst = !calls.includes(`create ${id}`);
          calls.push(`create ${id}`);
          if (isFirst) throw new Error("not yet");
          calls.push(`${uid} ${String(entry["name"])}`);
        },
        "entry.delete": { archive: ({ entry }) => void calls.push(`archive ${String(entry["name"])}`) },
      },
    },
  );
  const { documentId, name } = await tags.create({ data: tag() });
  await tags.delete(documentId);
  await vi.waitUntil(() => calls.length >= 4, SOON);
  const created = calls.filter((call) => call.startsWith("create "));
  expect(created).toEqual([created[0], created[0]]);
  expect(calls.filter((call) => !created.includes(call)).toSorted()).toEqual([
    `api::tag.tag ${String(name)}`,
    `archive ${String(name)}`,
  ]);
  await vi.waitFor(async () => {
    const states = [
      ...(await deliveriesIn(database, { consumer: "code:entry.create" })),
      ...(await deliveriesIn(database, { consumer: "code:entry.delete/archive" })),
    ];
    expect(states.map(({ state, attempts }) => [state, attempts])).toEqual([
      ["done", 2],
      ["done", 1],
    ]);
  }, SOON);
});

test("a value that all locales share is told of each version that it is copied to", async () => {
  const told: string[] = [];
  const note = ({ locale, entry }: { locale: string | null; entry: Readonly<Record<string, unknown>> }): void => {
    told.push(`${locale} ${entry["publishedAt"] === null ? "draft" : "published"} ${String(entry["featured"])}`);
  };
  const { services } = await serve(database, {}, { handlers: { "entry.update": note, "entry.publish": note } });
  const articles = services.documents("api::article.article");
  const { documentId } = await articles.create({ data: { title: "A", slug: "shared" }, locale: "en" });
  await articles.update(documentId, { data: { title: "A", slug: "geteilt" }, locale: "de" });
  await vi.waitUntil(() => told.length >= 2, SOON);
  told.length = 0;
  await articles.update(documentId, { data: { featured: true }, locale: "en" });
  await vi.waitUntil(() => told.length >= 4, SOON);
  expect(told.toSorted()).toEqual(["de draft true", "de published true", "en draft true", "en published true"]);
});

test("what waits for a webhook that was taken out of the configuration is deleted with its age", async () => {
  const { url } = await receiver((response) => response.writeHead(500).end());
  const { tags, end } = await serve(database, { retrySeconds: [3600], webhooks: [{ name: "dropped", url }] });
  await tags.create({ data: tag() });
  const waiting = () => deliveriesIn(database, { consumer: "dropped" });
  await vi.waitFor(async () => expect(await waiting()).toMatchObject([{ state: "pending", attempts: 1 }]), SOON);
  await end();
  const config = eventsConfig.unwrap().parse({ days: 1 });
  await deleteOld(database, config, []);
  expect(await waiting()).toHaveLength(1);
  await database.rows("update event_log set created_at = created_at - interval '2 days'");
  await deleteOld(database, config, ["dropped"]);
  expect(await waiting()).toHaveLength(1);
  await deleteOld(database, config, []);
  expect(await waiting()).toEqual([]);
});

test("a database that is lost before a delivery is noted has the event delivered again with the same id", async () => {
  const url = await freshPostgresUrl(onTestFinished);
  const away = new URL(url);
  const name = away.pathname.slice(1);
  away.pathname = "/postgres";
  const admin = postgres(away.href, { max: 1, fetch_types: false, onnotice: () => {} });
  onTestFinished(() => admin.end());
  const own = await openPostgres(url, 4);
  onTestFinished(() => own.close());
  await createEventsTables(own);
  const { received, url: hook } = await receiver(async (response, number) => {
    if (number === 1) {
      await admin.unsafe(`alter database ${name} allow_connections false`);
      await admin.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    }
    response.writeHead(204).end();
  });
  const { tags, logged } = await serve(own, { timeoutSeconds: 1, webhooks: [{ name: "lost", url: hook }] });
  await tags.create({ data: tag() });
  await vi.waitUntil(() => received.length > 0, SOON);
  await vi.waitUntil(() => logged().includes("a delivery could not be stored"), SOON);
  await admin.unsafe(`alter database ${name} allow_connections true`);
  await vi.waitUntil(() => received.length > 1, SOON);
  expect(received[1]).toMatchObject({ id: received[0]?.id, body: received[0]?.body });
  await vi.waitFor(
    async () => expect(await deliveriesIn(own, {})).toMatchObject([{ state: "done", attempts: 2 }]),
    SOON,
  );
});

/** The statements of a tag that is created, changed and deleted by a process with these events, or none. */
const statementsOf = async (events: Parameters<typeof serve>[1] | undefined): Promise<readonly string[]> => {
  const recorded = recording(database);
  const { services } = await exampleApp((work) => onTestFinished(work), recorded.database, events ? { events } : {});
  const tags = services.documents("api::tag.tag");
  await tags.create({ data: tag() });
  recorded.statements.length = 0;
  const { documentId } = await tags.create({ data: tag() });
  await tags.update(documentId, { data: { name: tag().name } });
  await tags.delete(documentId);
  return [...recorded.statements];
};

test("a write that nobody wants to hear of sends what it sends without events, and one that is wanted one statement more", async () => {
  const without = await statementsOf(undefined);
  const url = "https://receiver.example/hook";
  expect(await statementsOf({ webhooks: [{ name: "other", url, types: ["api::author.author"] }] })).toEqual(without);
  const heard = await statementsOf({ webhooks: [{ name: "unheard", url, events: ["entry.update"] }] });
  expect(heard.filter((text) => !text.includes("pg_notify"))).toHaveLength(without.length + 1);
});
