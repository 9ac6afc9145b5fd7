/** Relations written from one side that change rows of the other. */
import { onTestFinished, test, expect } from "vitest";
import { isRecord } from "../../../runtime/base/is-record.ts";
import { bothDatabases, freshDatabase } from "../../support/database.ts";
import { idOf } from "../../support/document-id.ts";
import { createWorld } from "./world.ts";

test("a draft that is discarded takes its one-to-one target back from the draft that has it meanwhile", async () => {
  const { posts, topics } = await createWorld(await freshDatabase("postgres", onTestFinished));
  const topic = idOf(await topics.create({ data: { name: "cover" } }));
  const first = idOf(await posts.create({ data: { title: "first", cover: topic } }));
  const second = idOf(await posts.create({ data: { title: "second" } }));
  const coverOf = async (documentId: string) => {
    const read = await posts.findOne(documentId, { status: "draft", populate: ["cover"] });
    return isRecord(read) && isRecord(read["cover"]) ? idOf(read["cover"]) : null;
  };

  await posts.update(second, { data: { cover: topic }, status: "draft" });
  expect([await coverOf(first), await coverOf(second)]).toEqual([null, topic]);
  await posts.discardDraft(first);
  expect([await coverOf(first), await coverOf(second)]).toEqual([topic, null]);
  const copy = await posts.clone(first);
  expect([await coverOf(first), await coverOf(copy?.documentId ?? "")]).toEqual([topic, null]);
});

test.each(bothDatabases)(
  "writing the other side again leaves rows alone that are as they should be on %s",
  async (kind) => {
    const { services, posts, topics } = await createWorld(await freshDatabase(kind, onTestFinished));
    const ids: string[] = [];
    for (const title of ["one", "two", "three"]) ids.push(idOf(await posts.create({ data: { title } })));
    const lists = { posts: ids, leads: ids, coverOf: ids[0] };
    const topic = idOf(await topics.create({ data: { name: "topic", ...lists } }));
    /** Where every row is: a row that is written again is somewhere else. */
    const rows = () =>
      services.database.rows("select ctid::text from posts union all select ctid::text from posts_topics");

    const before = await rows();
    expect(before).toHaveLength(12);
    await topics.update(topic, { data: { name: "renamed", ...lists } });
    await topics.publish(topic);
    expect(await rows()).toEqual(before);

    await topics.update(topic, { data: { posts: ids.toReversed(), leads: ids.toReversed() } });
    const read = await topics.findOne(topic, { populate: ["posts", "leads"] });
    expect(read).toMatchObject({
      posts: ids.toReversed().map((documentId) => ({ documentId })),
      leads: ids.toReversed().map((documentId) => ({ documentId })),
    });
  },
);

test.each(bothDatabases)(
  "what is published takes the place that its draft has in a list of the other side on %s",
  async (kind) => {
    const { posts, topics } = await createWorld(await freshDatabase(kind, onTestFinished));
    const ids: string[] = [];
    for (const title of ["one", "two", "three"]) ids.push(idOf(await posts.create({ data: { title } })));
    const topic = idOf(await topics.create({ data: { name: "topic", posts: ids } }));
    const listed = async () => {
      const read = await topics.findOne(topic, { populate: ["posts"] });
      return isRecord(read) && Array.isArray(read["posts"]) ? read["posts"].map(idOf) : [];
    };

    await topics.update(topic, { data: { posts: ids.toReversed() }, status: "draft" });
    expect(await listed()).toEqual(ids);
    for (const documentId of ids) await posts.update(documentId, { data: { topics: [topic] } });
    expect(await listed()).toEqual(ids.toReversed());
  },
);
