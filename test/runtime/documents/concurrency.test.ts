import { expect, onTestFinished, test } from "vitest";
import { HttpError } from "../../../runtime/base/errors.ts";
import { faultOf } from "../../../runtime/database/fault.ts";
import { freshDatabase } from "../../support/database.ts";
import { idOf, idsIn } from "../../support/document-id.ts";
import { createWorld, type World } from "./world.ts";

const WRITERS = 50;

const open = async (): Promise<World> => createWorld(await freshDatabase("postgres", onTestFinished));

const times = <Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

test("writers of one document at once lose no update", async () => {
  const { posts, topics } = await open();
  const documentId = idOf(await posts.create({ data: { title: "wanted" } }));
  const ids = await times(WRITERS, async (index) => idOf(await topics.create({ data: { name: `topic ${index}` } })));
  await Promise.all(ids.map((id) => posts.update(documentId, { data: { topics: { connect: [id] } } })));
  for (const status of ["draft", "published"] as const) {
    const read = await posts.findOne(documentId, { status, populate: ["topics"] });
    expect(idsIn(read, "topics")).toEqual(ids.toSorted());
  }
});

test("both sides of a relation written at once keep what each of them links", async () => {
  const { posts, topics } = await open();
  const postIds = await times(10, async (index) => idOf(await posts.create({ data: { title: `post ${index}` } })));
  const topicIds = await times(10, async (index) => idOf(await topics.create({ data: { name: `topic ${index}` } })));
  await Promise.all([
    ...postIds.flatMap((post) =>
      topicIds.slice(0, 5).map((topic) => posts.update(post, { data: { topics: { connect: [topic] } } })),
    ),
    ...topicIds
      .slice(5)
      .flatMap((topic) => postIds.map((post) => topics.update(topic, { data: { posts: { connect: [post] } } }))),
  ]);
  for (const post of postIds) {
    const read = await posts.findOne(post, { populate: ["topics"] });
    expect(idsIn(read, "topics")).toEqual(topicIds.toSorted());
  }
});

test("the target of a one-to-one relation has one owner, however many take it over at once from either side", async () => {
  const { services, posts, topics } = await open();
  const topic = idOf(await topics.create({ data: { name: "wanted" } }));
  const ids = await times(WRITERS, async (index) => idOf(await posts.create({ data: { title: `post ${index}` } })));
  await Promise.all(
    ids.map((id, index) =>
      index % 5 === 0 ? topics.update(topic, { data: { coverOf: id } }) : posts.update(id, { data: { cover: topic } }),
    ),
  );
  const owners = "select published_at is null, count(*)::int from posts where cover_document_id is not null group by 1";
  expect(new Map((await services.database.rows(owners)).map(([draft, count]) => [draft, count]))).toEqual(
    new Map([
      [true, 1],
      [false, 1],
    ]),
  );
});

test("writers that take targets from one another, from either side, never wait in a circle", async () => {
  let deadlocks = 0;
  const database = await freshDatabase("postgres", onTestFinished);
  const { posts, topics } = await createWorld({
    ...database,
    transaction: (work) =>
      database.transaction(work).catch((error: unknown) => {
        if (faultOf(error)?.code === "40P01") deadlocks += 1;
        throw error;
      }),
  });
  const postIds = await times(6, async (index) => idOf(await posts.create({ data: { title: `post ${index}` } })));
  const topicIds = await times(4, async (index) => idOf(await topics.create({ data: { name: `topic ${index}` } })));
  const rounds = Array.from({ length: 8 }, (_, round) => round);
  await Promise.all(
    rounds.flatMap((round) => [
      ...postIds.map((post, index) =>
        posts.update(post, { data: { cover: topicIds[(index + round) % 4], topics: topicIds.slice(index % 3) } }),
      ),
      ...topicIds.map((topic, index) =>
        topics.update(topic, { data: { coverOf: postIds[(index * 2 + round) % 6], posts: postIds.toReversed() } }),
      ),
    ]),
  );
  expect(deadlocks).toBe(0);
});

test("of creators of one unique value at once one wins, and the others are told so", async () => {
  const { posts } = await open();
  const outcomes = await Promise.allSettled(
    Array.from({ length: WRITERS }, () => posts.create({ data: { title: "the same" } })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled") continue;
    const error: unknown = outcome.reason;
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({
      status: 400,
      message: "This attribute must be unique",
      details: { errors: [{ path: ["title"], message: "This attribute must be unique", value: "the same" }] },
    });
  }
  expect(await posts.find({ status: "draft" })).toHaveLength(1);
});

test("documents that delete and link one another at once end without dangling links", async () => {
  const { services, posts, topics } = await open();
  const documentId = idOf(await posts.create({ data: { title: "linked" } }));
  const ids = await times(20, async (index) => idOf(await topics.create({ data: { name: `topic ${index}` } })));
  const outcomes = await Promise.allSettled(
    ids.flatMap((id) => [
      posts.update(documentId, { data: { topics: { connect: [id] }, lead: id } }),
      topics.delete(id),
    ]),
  );
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ status: 400 });
  }
  const [row] = await services.database.rows(
    "select (select count(*)::int from topics), (select count(*)::int from posts_topics), (select count(*)::int from posts where lead_document_id is not null)",
  );
  expect(row).toEqual([0, 0, 0]);
});
