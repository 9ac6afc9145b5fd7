import { expect, onTestFinished, test } from "vitest";
import type { Extension } from "../../../runtime/app/extension.ts";
import { ValidationError } from "../../../runtime/base/errors.ts";
import { freshDatabase } from "../../support/database.ts";
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
