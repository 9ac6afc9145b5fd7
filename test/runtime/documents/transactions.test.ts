/** Several writes of the application's code in one transaction. */
import { expect, onTestFinished, test } from "vitest";
import type { Extension } from "../../../runtime/app/extension.ts";
import { ValidationError } from "../../../runtime/base/errors.ts";
import type { anyDocuments } from "../../../runtime/documents/create-documents.ts";
import type { HookServices, TransactionTools } from "../../../runtime/documents/hooks.ts";
import { bothDatabases, type DatabaseKind, freshDatabase } from "../../support/database.ts";
import { deferred } from "../../support/deferred.ts";
import { idOf } from "../../support/document-id.ts";
import { createWorld } from "./world.ts";

const open = async (kind: DatabaseKind, extension?: Extension) =>
  createWorld(await freshDatabase(kind, onTestFinished), extension);

/** The tools of a transaction, with documents whose types these tests alone know. */
const inTransaction = <Result>(
  { transaction }: Pick<HookServices, "transaction">,
  work: (tools: TransactionTools & { readonly posts: ReturnType<ReturnType<typeof anyDocuments>> }) => Promise<Result>,
): Promise<Result> =>
  transaction((tools) => {
    const documents = Object(tools.documents) as ReturnType<typeof anyDocuments>;
    return work({ ...tools, posts: documents("api::post.post") });
  });

const titles = async (posts: ReturnType<ReturnType<typeof anyDocuments>>): Promise<unknown[]> =>
  (await posts.find({ status: "draft", sort: "title" })).map(({ title }) => title);

test.each(bothDatabases)("writes are committed together, and hooks after them run then, on %s", async (kind) => {
  const calls: unknown[] = [];
  const { posts, services } = await open(kind, {
    hooks: {
      async afterCreate({ document, services: { documents } }) {
        const all = await (Object(documents) as ReturnType<typeof anyDocuments>)("api::post.post").count();
        calls.push([document["title"], all]);
      },
    },
  });
  const made = await inTransaction(services, async ({ posts: own, db }) => {
    const one = await own.create({ data: { title: "one" } });
    await own.update(idOf(one), { data: { rating: 5 } });
    await own.create({ data: { title: "two" } });
    await db.execute("update posts set rating = 6 where title = 'two'");
    expect(await own.find({ filters: { rating: { $gt: 4 } } })).toHaveLength(2);
    expect(calls).toEqual([]);
    return idOf(one);
  });
  expect(await posts.findOne(made)).toMatchObject({ title: "one", rating: 5 });
  expect(calls).toEqual([
    ["one", 2],
    ["two", 2],
  ]);
});

test.each(bothDatabases)("an error undoes everything, and no hook runs after it, on %s", async (kind) => {
  const calls: unknown[] = [];
  const { posts, services } = await open(kind, { hooks: { afterCreate: () => void calls.push("after") } });
  await posts.create({ data: { title: "kept" } });
  calls.length = 0;
  const failing = inTransaction(services, async ({ posts: own }) => {
    await own.create({ data: { title: "one" } });
    await own.create({ data: { title: "kept" } });
  });
  await expect(failing).rejects.toThrow("This attribute must be unique");
  const thrown = inTransaction(services, async ({ posts: own }) => {
    await own.create({ data: { title: "one" } });
    throw new ValidationError("no");
  });
  await expect(thrown).rejects.toThrow("no");
  expect(await titles(posts)).toEqual(["kept"]);
  expect(calls).toEqual([]);
});

test.each(bothDatabases)(
  "a write whose error is caught is undone alone, and so is a nested transaction, on %s",
  async (kind) => {
    const calls: unknown[] = [];
    const { posts, services } = await open(kind, {
      hooks: { afterCreate: ({ document }) => void calls.push(document["title"]) },
    });
    await inTransaction(services, async ({ posts: own, services: inner }) => {
      await own.create({ data: { title: "one" } });
      await expect(own.create({ data: { title: "one" } })).rejects.toThrow("must be unique");
      const nested = inTransaction(inner, async ({ posts: deeper }) => {
        await deeper.create({ data: { title: "two" } });
        throw new Error("taken back");
      });
      await expect(nested).rejects.toThrow("taken back");
      await inTransaction(inner, ({ posts: deeper }) => deeper.create({ data: { title: "three" } }));
      await Promise.all([own.create({ data: { title: "four" } }), own.create({ data: { title: "five" } })]);
    });
    expect(await titles(posts)).toEqual(["five", "four", "one", "three"]);
    expect(calls).toEqual(["one", "three", "four", "five"]);
  },
);

test.each(bothDatabases)(
  "what goes past the transaction is refused at once instead of waiting for it, on %s",
  async (kind) => {
    const { posts, services } = await open(kind);
    const past = "goes past the transaction that it runs in";
    let leaked: Pick<typeof posts, "find"> = posts;
    await inTransaction(services, async ({ posts: own, services: inner }) => {
      leaked = own;
      await own.create({ data: { title: "one" } });
      await expect(posts.create({ data: { title: "two" } })).rejects.toThrow(past);
      await expect(posts.find()).rejects.toThrow(past);
      await expect(inTransaction(services, async () => {})).rejects.toThrow(past);
      await inTransaction(inner, async () => {
        await expect(own.find()).rejects.toThrow(past);
      });
    });
    await expect(leaked.find()).rejects.toThrow("The transaction is over");
    expect(await titles(posts)).toEqual(["one"]);
  },
);

test("two transactions that wait for one another both succeed: one of them runs again from its beginning", async () => {
  const { posts, services } = await open("postgres");
  const a = idOf(await posts.create({ data: { title: "a" } }));
  const b = idOf(await posts.create({ data: { title: "b" } }));
  const [first, second] = [deferred(), deferred()];
  let runs = 0;
  const both = (rating: number, [from, to]: readonly string[], own = first, other = second) =>
    inTransaction(services, async ({ posts: inside }) => {
      runs += 1;
      await inside.update(from ?? "", { data: { rating } });
      own.resolve();
      await other.promise;
      await inside.update(to ?? "", { data: { rating } });
    });
  await Promise.all([both(1, [a, b]), both(2, [b, a], second, first)]);
  expect(runs).toBe(3);
  const ratings = (await posts.find()).map(({ rating }) => rating);
  expect(ratings[0]).toBe(ratings[1]);
});

test("more transactions at once than there are connections all succeed", async () => {
  const { posts, services } = await open("postgres");
  const numbers = Array.from({ length: 12 }, (_, index) => `number ${index}`);
  await Promise.all(
    numbers.map((title) =>
      inTransaction(services, async ({ posts: own }) => {
        const made = await own.create({ data: { title } });
        await own.update(idOf(made), { data: { rating: 1 } });
      }),
    ),
  );
  expect(await posts.count({ filters: { rating: 1 } })).toBe(numbers.length);
});

test.each(bothDatabases)(
  "hooks in the transaction are committed with the write, and what they throw undoes it, on %s",
  async (kind) => {
    const calls: string[] = [];
    const fail = new Set<string>();
    const note =
      (name: string) =>
      async ({ documents, document, previous }: { documents: unknown; document?: unknown; previous?: unknown }) => {
        calls.push(name);
        const topics = (documents as ReturnType<typeof anyDocuments>)("api::topic.topic");
        await topics.create({
          data: { name: `${name} ${String(Object(document)["title"] ?? Object(previous)["title"])}` },
        });
        if (fail.has(name)) throw new ValidationError(`${name} says no`);
      };
    const { posts, topics } = await open(kind, {
      hooks: {
        afterCreate: () => void calls.push("committed"),
        inTransaction: {
          beforeCreate: ({ data }) => ({ ...data, rating: 3 }),
          afterCreate: note("create"),
          afterUpdate: note("update"),
          beforePublish: () => void calls.push("before"),
          afterPublish: note("publish"),
          afterUnpublish: note("unpublish"),
          afterDelete: note("delete"),
        },
      },
    });
    const names = async () => (await topics.find({ sort: "id" })).map(({ name }) => name);
    const one = idOf(await posts.create({ data: { title: "one" } }));
    expect(calls).toEqual(["before", "create", "publish", "committed"]);
    expect(await posts.findOne(one)).toMatchObject({ rating: 3 });
    await posts.update(one, { data: { title: "two" }, status: "draft" });
    await posts.publish(one);
    await posts.unpublish(one);
    for (const name of ["create", "update", "publish", "unpublish", "delete"]) fail.add(name);
    await expect(posts.create({ data: { title: "three" } })).rejects.toThrow("create says no");
    await expect(posts.update(one, { data: { title: "four" } })).rejects.toThrow("update says no");
    await expect(posts.publish(one)).rejects.toThrow("publish says no");
    await expect(posts.delete(one)).rejects.toThrow("delete says no");
    expect(await names()).toEqual(["create one", "publish one", "update two", "publish two", "unpublish two"]);
    expect((await posts.find({ status: "draft" })).map(({ title }) => title)).toEqual(["two"]);
    expect(await posts.find()).toEqual([]);
    fail.clear();
    await posts.delete(one);
    expect((await names()).at(-1)).toBe("delete two");
    expect(calls.filter((name) => name === "committed")).toHaveLength(1);
  },
);
