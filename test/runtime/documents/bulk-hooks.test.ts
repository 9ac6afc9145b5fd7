/** Writes of many documents with code around them: what single writes run, in one transaction. */
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import type { Extension } from "../../../runtime/app/extension.ts";
import { ForbiddenError } from "../../../runtime/base/errors.ts";
import { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import { freshDatabase, recording } from "../../support/database.ts";
import { deferred } from "../../support/deferred.ts";
import { createWorld } from "./world.ts";

const open = async (hooks: NonNullable<Extension["hooks"]>) => {
  const watched = recording(await freshDatabase("postgres", onTestFinished));
  return { ...(await createWorld(watched.database, { hooks })), statements: watched.statements };
};

const titles = (...names: readonly string[]) => names.map((title) => ({ title }));

test("hooks after a write run for each document, when all are committed, and change nothing of how they are written", async () => {
  const calls: unknown[] = [];
  const { posts, statements, services } = await open({
    afterCreate: async ({ document, previous }) =>
      void calls.push(["created", document["title"], previous, await posts.count({ status: "draft" })]),
    afterPublish: ({ document }) => void calls.push(["published", document["publishedAt"] !== null]),
    afterUpdate: ({ document, previous }) => void calls.push(["updated", previous?.["rating"], document["rating"]]),
    afterDelete: ({ previous }) => void calls.push(["deleted", previous["title"]]),
  });
  await posts.createMany({ data: titles("a", "b") });
  expect(statements.filter((sql) => sql.includes("insert into"))).toHaveLength(1);
  await posts.updateMany({ filters: { title: "b" }, data: { rating: 2 }, status: "draft" });
  await posts.deleteMany({ filters: {} });
  expect(calls).toEqual([
    ["created", "a", null, 2],
    ["published", true],
    ["created", "b", null, 2],
    ["published", true],
    ["updated", null, 2],
    ["deleted", "a"],
    ["deleted", "b"],
  ]);
  calls.length = 0;
  const failing = services.inUnit(async (inside) => {
    await anyDocuments(inside)("api::post.post").createMany({ data: titles("c") });
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(calls).toEqual([]);
  expect(await posts.count({ status: "draft" })).toBe(0);
});

test("a hook before a write sees what the one before it has left, and its error undoes all", async () => {
  const { posts } = await open({
    async beforeCreate({ data, services: { db } }) {
      const [{ taken } = {}] = await db.execute(sql`select count(*) as taken from posts where published_at is null`);
      if (Number(taken) > 1) throw new ForbiddenError("full");
      return { ...data, rating: Number(taken) };
    },
    beforeUpdate: ({ documentId, data }) => ({ ...data, title: `changed ${documentId}` }),
    beforeDelete() {
      throw new ForbiddenError("kept");
    },
  });
  await expect(posts.createMany({ data: titles("a", "b", "c") })).rejects.toMatchObject({
    status: 403,
    message: "data[2]: full",
  });
  expect(await posts.count({ status: "draft" })).toBe(0);
  const documentIds = await posts.createMany({ data: titles("a", "b") });
  expect(await posts.find({ sort: "id" })).toMatchObject([{ rating: 0 }, { rating: 1 }]);
  expect(await posts.updateMany({ filters: { rating: 1 }, data: {} })).toEqual([documentIds[1]]);
  expect(await posts.count({ filters: { title: `changed ${documentIds[1]}` } })).toBe(1);
  await expect(posts.deleteMany({ filters: {} })).rejects.toThrow(`${documentIds[0]}: kept`);
});

test("hooks in the transaction undo the writes of all documents", async () => {
  let most = 2;
  const { posts } = await open({
    inTransaction: {
      async afterCreate({ services }) {
        const [{ count } = {}] = await services.db.execute(sql`select count(*) from documents`);
        if (Number(count) > most) throw new ForbiddenError("too many");
      },
      beforeDelete({ documentId, services }) {
        services.log.info({ documentId }, "goes");
      },
    },
  });
  await expect(posts.createMany({ data: titles("a", "b", "c") })).rejects.toThrow("data[2]: too many");
  expect(await posts.count({ status: "draft" })).toBe(0);
  most = 3;
  await posts.createMany({ data: titles("a", "b", "c") });
  expect(await posts.deleteMany({ filters: { title: { $ne: "b" } } })).toHaveLength(2);
  expect(await posts.find({ fields: ["title"] })).toMatchObject([{ title: "b" }]);
});

test("of documents that changed before they could be locked those are written that still match", async () => {
  const { posts, services } = await open({});
  const [first = "", second = ""] = await posts.createMany({ data: titles("a", "b") });
  const [go, locked] = [deferred(), deferred()];
  const other = services.database.transaction(async (session) => {
    await session.rows("select 1 from documents where document_id = $1 for update", [first]);
    locked.resolve();
    await go.promise;
    await session.rows("update posts set rating = 5 where document_id = $1", [first]);
  });
  await locked.promise;
  const changed = posts.updateMany({ filters: { rating: { $null: true } }, data: { rating: 1 } });
  const waiting = async () => {
    const sql = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    return Number((await services.database.rows(sql))[0]?.[0]);
  };
  await expect.poll(waiting).toBe(1);
  go.resolve();
  await other;
  expect(await changed).toEqual([second]);
  expect(await posts.find({ sort: "title", fields: ["rating"] })).toMatchObject([{ rating: 5 }, { rating: 1 }]);
});
