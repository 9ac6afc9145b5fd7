/** Everything that is done to documents in sequences. They live in a few slots, so that steps meet. */
import * as fc from "fast-check";
import type { Status } from "../../../runtime/schema/document.ts";

const SLOTS = 3;
const MOST_OFTEN = 2;
const slot = fc.nat(SLOTS - 1);
const locale = fc.constantFrom("en", "fr");
const status = fc.constantFrom<Status>("draft", "published");
const topicList = fc.array(slot, { maxLength: 4 });
/** Naming a target a third time is refused. */
const connected = topicList.filter((list) =>
  list.every((index) => list.filter((each) => each === index).length <= MOST_OFTEN),
);
const rating = fc.option(fc.integer({ min: 0, max: 9 }));

const postData = fc.record(
  {
    rating,
    topics: topicList,
    connect: connected,
    disconnect: topicList,
    lead: fc.option(slot),
    cover: fc.option(slot),
  },
  { requiredKeys: [] },
);

export const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("createPost" as const), slot, locale, data: postData, status }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("updatePost" as const), slot, locale, data: postData, status }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("publishPost" as const), slot, locale }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("unpublishPost" as const), slot, locale }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("discardPost" as const), slot, locale }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("deletePost" as const),
      slot,
      locale: fc.option(locale, { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("createTopic" as const), slot, status }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("updateTopic" as const),
      slot,
      posts: fc.option(fc.array(slot, { maxLength: 3 }), { nil: undefined }),
      coverOf: fc.option(fc.option(slot), { nil: undefined }),
      status,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("publishTopic" as const), slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("deleteTopic" as const), slot }) },
);
export type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** Sequences begin with documents in every slot: steps on empty ones do nothing. */
export const preparation: readonly Operation[] = Array.from({ length: SLOTS }, (_, index) => index).flatMap((index) => [
  { kind: "createTopic", slot: index, status: "published" },
  { kind: "createPost", slot: index, locale: "en", data: {}, status: "published" },
]);
