import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Extension } from "../../../runtime/app/extension.ts";
import { ValidationError } from "../../../runtime/base/errors.ts";
import type { Mail } from "../../../runtime/base/mailer.ts";
import { freshDatabase, recording } from "../../support/database.ts";
import { idOf } from "../../support/document-id.ts";
import { createWorld } from "./world.ts";

const open = async (extension: Extension) => createWorld(await freshDatabase("postgres", onTestFinished), extension);

test("hooks run before and after each write, in order, and a publishing write runs those of publishing too", async () => {
  const calls: string[] = [];
  const note = (name: string) => (): void => void calls.push(name);
  const { posts } = await open({
    hooks: {
      beforeCreate: note("beforeCreate"),
      afterCreate: note("afterCreate"),
      beforeUpdate: note("beforeUpdate"),
      afterUpdate: note("afterUpdate"),
      beforePublish: note("beforePublish"),
      afterPublish: note("afterPublish"),
      beforeUnpublish: note("beforeUnpublish"),
      afterUnpublish: note("afterUnpublish"),
      beforeDelete: note("beforeDelete"),
      afterDelete: note("afterDelete"),
    },
  });
  const documentId = idOf(await posts.create({ data: { title: "one" }, status: "draft" }));
  await posts.update(documentId, { data: { rating: 1 } });
  await posts.unpublish(documentId);
  await posts.delete(documentId);
  expect(calls).toEqual([
    "beforeCreate",
    "afterCreate",
    "beforeUpdate",
    "beforePublish",
    "afterUpdate",
    "afterPublish",
    "beforeUnpublish",
    "afterUnpublish",
    "beforeDelete",
    "afterDelete",
  ]);
});

test("what a hook returns before a write is checked and written instead", async () => {
  const { posts } = await open({ hooks: { beforeCreate: ({ data }) => ({ ...data, rating: 7 }) } });
  expect(await posts.create({ data: { title: "one" } })).toMatchObject({ title: "one", rating: 7 });
  const broken = await open({ hooks: { beforeCreate: ({ data }) => ({ ...data, rating: -1 }) } });
  await expect(broken.posts.create({ data: { title: "one" } })).rejects.toThrow(
    "rating must be greater than or equal to 0",
  );
});

test("an error in a hook before a write is the answer, and nothing is written", async () => {
  const { posts } = await open({
    hooks: {
      beforePublish() {
        throw new ValidationError("not today");
      },
    },
  });
  await expect(posts.create({ data: { title: "one" } })).rejects.toThrow("not today");
  expect(await posts.find({ status: "draft" })).toEqual([]);
});

test("hooks after a write get what was written and what was there before, by the statements of the write alone", async () => {
  const seen: Record<string, readonly [unknown, unknown]> = {};
  const note =
    (name: string) =>
    ({ document, previous }: { document?: unknown; previous: unknown }): void =>
      void (seen[name] = [document, previous]);
  const watched = recording(await freshDatabase("postgres", onTestFinished));
  const { posts } = await createWorld(watched.database, {
    hooks: {
      afterCreate: note("create"),
      afterUpdate: note("update"),
      afterPublish: note("publish"),
      afterUnpublish: note("unpublish"),
      afterDelete: note("delete"),
    },
  });
  const documentId = idOf(await posts.create({ data: { title: "one", note: { text: "in" } }, status: "draft" }));
  const stored = async (status: "draft" | "published") => {
    const { id: _id, ...document } = (await posts.findOne(documentId, { status })) ?? {};
    return document;
  };
  const first = await stored("draft");
  expect(seen["create"]).toEqual([first, null]);
  expect(first).toMatchObject({ documentId, title: "one", rating: null, locale: "en", publishedAt: null });

  watched.statements.length = 0;
  await posts.update(documentId, { data: { rating: 1 } });
  const counted = watched.statements.length;
  const published = await stored("published");
  expect(seen["update"]).toEqual([published, first]);
  expect(seen["publish"]).toEqual([published, null]);
  const draft = await stored("draft");
  await posts.update(documentId, { data: { rating: 2 } });
  expect(seen["update"]).toEqual([await stored("published"), draft]);
  expect(seen["publish"]).toEqual([await stored("published"), published]);

  const last = await stored("published");
  await posts.unpublish(documentId);
  expect(seen["unpublish"]).toEqual([await stored("draft"), last]);
  const left = await stored("draft");
  await posts.delete(documentId);
  expect(seen["delete"]).toEqual([undefined, left]);

  const unhooked = recording(await freshDatabase("postgres", onTestFinished));
  const plain = await createWorld(unhooked.database);
  const other = idOf(await plain.posts.create({ data: { title: "one", note: { text: "in" } }, status: "draft" }));
  unhooked.statements.length = 0;
  await plain.posts.update(other, { data: { rating: 1 } });
  expect(unhooked.statements).toHaveLength(counted);
});

test("hooks get the services of the application", async () => {
  const sent: Mail[] = [];
  const { posts, services } = await open({
    hooks: {
      async beforeCreate({ data, services: { config, db, log } }) {
        const [row] = await db.execute(sql`select 40 + 2 as answer`);
        log.info("asked");
        return { ...data, title: `${config.rest.prefix} ${String(row?.["answer"])}` };
      },
      async afterCreate({ document, services: { mailer, media } }) {
        const text = media.storage.url("a.txt");
        await mailer.send({ to: "editor@example.com", subject: String(document["title"]), text });
      },
    },
  });
  vi.spyOn(services.mailer, "send").mockImplementation(async (mail) => void sent.push(mail));
  await posts.create({ data: { title: "one" } });
  expect(sent).toEqual([{ to: "editor@example.com", subject: "/api 42", text: "/uploads/a.txt" }]);
});

test("a hook after a write sees what was written, and its failure changes nothing", async () => {
  const seen: unknown[] = [];
  const { posts, topics } = await open({
    hooks: {
      async afterCreate({ documentId, uid }) {
        seen.push(uid, documentId, await topics.find());
        throw new Error("too late");
      },
    },
  });
  const created = await posts.create({ data: { title: "one" } });
  expect(seen).toEqual(["api::post.post", idOf(created), []]);
  expect(await posts.findOne(idOf(created))).toMatchObject({ title: "one" });
});

test("hooks of all content types run for each of them, before its own, which get what they return", async () => {
  const calls: string[] = [];
  const note =
    (name: string) =>
    ({ uid }: { uid: string }): void =>
      void calls.push(`${name} ${uid}`);
  const refuse = (name: string) => (event: { uid: string; document: Readonly<Record<string, unknown>> }) => {
    note(name)(event);
    if (event.document["rating"] === 9) throw new ValidationError(`${name} refuses`);
  };
  const { posts, topics } = await createWorld(
    await freshDatabase("postgres", onTestFinished),
    {
      hooks: {
        beforeCreate: ({ data }) => ({ ...data, title: `${String(data["title"])}, own` }),
        afterCreate: note("own"),
        afterPublish: note("published"),
        inTransaction: { afterCreate: refuse("own in transaction") },
      },
    },
    {},
    {
      hooks: {
        beforeCreate: ({ data, uid }) => (uid === "api::post.post" ? { ...data, title: "all" } : undefined),
        afterCreate(event) {
          note("all")(event);
          throw new Error("which is logged, and stops nothing");
        },
        afterDelete: note("deleted"),
        inTransaction: { afterCreate: note("all in transaction") },
      },
    },
  );
  const post = await posts.create({ data: { title: "one" } });
  expect(post).toMatchObject({ title: "all, own" });
  await topics.createMany({ data: [{ name: "one" }], status: "draft" });
  await posts.delete(idOf(post));
  expect(calls.splice(0)).toEqual([
    "all in transaction api::post.post",
    "own in transaction api::post.post",
    "all api::post.post",
    "own api::post.post",
    "published api::post.post",
    "all in transaction api::topic.topic",
    "all api::topic.topic",
    "deleted api::post.post",
  ]);
  await expect(posts.create({ data: { title: "two", rating: 9 } })).rejects.toThrow("own in transaction refuses");
  expect(await posts.count({ status: "draft" })).toBe(0);
});
