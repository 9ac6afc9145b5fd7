/** Writers of a document that another process has locked, and those of other documents. */
import { expect, onTestFinished, test } from "vitest";
import { ServiceUnavailableError } from "../../../runtime/base/errors.ts";
import { openPostgres } from "../../../runtime/database/postgres/postgres.ts";
import { freshPostgresUrl } from "../../support/database.ts";
import { deferred } from "../../support/deferred.ts";
import { idOf, idsIn } from "../../support/document-id.ts";
import { createWorld } from "./world.ts";

const POOL = 4;

/** Two posts and a topic; the first post is locked by somebody else until `release`. */
const lockedPost = async (lockSeconds: number) => {
  const url = await freshPostgresUrl(onTestFinished);
  const [database, other] = [await openPostgres(url, POOL, { lockSeconds: 600 }), await openPostgres(url, 1)];
  onTestFinished(async () => void (await Promise.all([database.close(), other.close()])));
  const world = await createWorld(database, undefined, { database: { lockSeconds } });
  const locked = idOf(await world.posts.create({ data: { title: "locked" } }));
  const free = idOf(await world.posts.create({ data: { title: "free" } }));
  const [isLocked, end] = [deferred(), deferred()];
  const holder = other.transaction(async (session) => {
    await session.rows("select 1 from documents where document_id = $1 for update", [locked]);
    isLocked.resolve();
    await end.promise;
  });
  await isLocked.promise;
  return { ...world, locked, free, release: () => (end.resolve(), holder) };
};

const writers = Array.from({ length: 3 * POOL }, (_, index) => index);

test("writers of other documents do not wait for those of a locked one, whichever side they write it from", async () => {
  const { posts, topics, locked, free, release } = await lockedPost(600);
  const ids = await Promise.all(
    writers.map(async (index) => idOf(await topics.create({ data: { name: String(index) } }))),
  );
  const waiting = writers.map((index) => posts.update(locked, { data: { rating: index } }));
  waiting.push(...ids.map((id) => topics.update(id, { data: { posts: { connect: [locked] } } })));
  waiting.push(posts.publish(locked), posts.discardDraft(locked));

  expect(await posts.update(free, { data: { rating: 7 } })).toMatchObject({ rating: 7 });
  expect(await posts.delete(free)).toBe(true);
  await release();
  expect(await Promise.all(waiting)).not.toContain(null);
  const read = await posts.findOne(locked, { populate: ["topics"] });
  expect(idsIn(read, "topics")).toEqual(ids.toSorted());
});

test("a writer whose turn does not come is told that the document is busy, and stands in nobody's way", async () => {
  const { posts, topics, locked, free, release } = await lockedPost(0.2);
  const topic = idOf(await topics.create({ data: { name: "topic" } }));
  const first = [1, 2].map((rating) => posts.update(locked, { data: { rating } }));
  const others = [
    posts.update(locked, { data: { rating: 3 } }),
    topics.update(topic, { data: { posts: { connect: [free, locked] } } }),
    topics.update(topic, { data: { posts: { connect: [free, locked] } } }),
  ];
  for (const other of others) {
    const error = await other.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ message: "Others hold what this needs; try again" });
  }
  expect(await posts.update(free, { data: { rating: 4 } })).toMatchObject({ rating: 4 });
  expect(await topics.update(topic, { data: { posts: { connect: [free] } } })).not.toBeNull();
  await release();
  expect(await Promise.all(first)).toMatchObject([{ rating: 1 }, { rating: 2 }]);
  expect(await posts.update(locked, { data: { rating: 5 } })).toMatchObject({ rating: 5 });
});
