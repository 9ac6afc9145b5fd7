import * as fc from "fast-check";
import { expect, test } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { Model, type PostData, type State } from "./model.ts";
import { createWorld } from "./world.ts";

const world = await createWorld(await freshDatabase("pglite"));
const { posts, topics } = world;

const slot = fc.integer({ min: 0, max: 3 });
const locale = fc.constantFrom("en", "fr");
const state = fc.constantFrom<State>("draft", "published");
const topicList = fc.array(slot, { maxLength: 4 });
const rating = fc.option(fc.integer({ min: 0, max: 9 }));

const postData = fc.record(
  { rating, topics: topicList, connect: topicList, disconnect: topicList, lead: fc.option(slot) },
  { requiredKeys: [] },
);

const operation = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("createPost" as const), slot, locale, data: postData, state }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("updatePost" as const), slot, locale, data: postData, state }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("publishPost" as const), slot, locale }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("unpublishPost" as const), slot, locale }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("discardPost" as const), slot, locale }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("deletePost" as const),
      slot,
      locale: fc.option(locale, { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("createTopic" as const), slot, state }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("updateTopic" as const),
      slot,
      posts: fc.option(fc.array(slot, { maxLength: 3 }), { nil: undefined }),
      state,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("publishTopic" as const), slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("deleteTopic" as const), slot }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** Does the same to the documents and to the model. */
class Run {
  readonly model = new Model();
  readonly #posts = new Map<number, string>();
  readonly #topics = new Map<number, string>();
  #count = 0;

  /** Topics that are there, by documentId. */
  #links(indexes: readonly number[]): string[] {
    return indexes.flatMap((index) => this.#topics.get(index) ?? []);
  }

  #known(data: PostData): PostData {
    const there = (indexes: readonly number[] | undefined) => indexes?.filter((index) => this.#topics.has(index));
    const { topics: set, connect, disconnect, lead, ...rest } = data;
    return {
      ...rest,
      ...(set ? { topics: there(set) ?? [] } : {}),
      ...(connect ? { connect: there(connect) ?? [] } : {}),
      ...(disconnect ? { disconnect: there(disconnect) ?? [] } : {}),
      ...(lead === undefined || (lead !== null && !this.#topics.has(lead)) ? {} : { lead }),
    };
  }

  #body(data: PostData): Record<string, unknown> {
    const { topics: set, connect, disconnect, lead, ...rest } = data;
    const changes = connect || disconnect;
    return {
      ...rest,
      ...(set ? { topics: this.#links(set) } : {}),
      ...(!set && changes
        ? { topics: { connect: this.#links(connect ?? []), disconnect: this.#links(disconnect ?? []) } }
        : {}),
      ...(lead === undefined ? {} : { lead: lead === null ? null : this.#topics.get(lead) }),
    };
  }

  async apply(step: Operation): Promise<void> {
    this.#count += 1;
    const { model } = this;
    const name = `${step.kind} ${this.#count}`;
    const documentId = step.kind.endsWith("Post") ? this.#posts.get(step.slot) : this.#topics.get(step.slot);
    switch (step.kind) {
      case "createPost": {
        if (documentId !== undefined) return;
        const data = { ...this.#known(step.data), title: name };
        const query = { data: this.#body(data), locale: step.locale, status: step.state };
        this.#posts.set(step.slot, idOf(await posts.create(query)));
        return model.createPost(step.slot, step.locale, data, step.state);
      }
      case "updatePost": {
        if (documentId === undefined) return;
        const data = { ...this.#known(step.data), title: name };
        await posts.update(documentId, { data: this.#body(data), locale: step.locale, status: step.state });
        return model.updatePost(step.slot, step.locale, data, step.state);
      }
      case "publishPost":
        if (documentId !== undefined) await posts.publish(documentId, { locale: step.locale });
        return model.publishPost(step.slot, step.locale);
      case "unpublishPost":
        if (documentId !== undefined) await posts.unpublish(documentId, { locale: step.locale });
        return model.unpublishPost(step.slot, step.locale);
      case "discardPost":
        if (documentId === undefined || !model.posts.get(step.slot)?.published.has(step.locale)) return;
        await posts.discardDraft(documentId, { locale: step.locale });
        return model.discardPost(step.slot, step.locale);
      case "deletePost":
        if (documentId === undefined) return;
        await posts.delete(documentId, { locale: step.locale ?? "*" });
        model.deletePost(step.slot, step.locale);
        if (!model.posts.has(step.slot)) this.#posts.delete(step.slot);
        return;
      case "createTopic":
        if (documentId !== undefined) return;
        this.#topics.set(step.slot, idOf(await topics.create({ data: { name }, status: step.state })));
        return model.createTopic(step.slot, name, step.state);
      case "updateTopic": {
        if (documentId === undefined) return;
        const listed = step.posts?.filter((index) => model.posts.get(index)?.draft.has("en"));
        const data = { name, ...(listed ? { posts: listed.flatMap((index) => this.#posts.get(index) ?? []) } : {}) };
        await topics.update(documentId, { data, status: step.state });
        return model.updateTopic(step.slot, name, listed, step.state);
      }
      case "publishTopic":
        if (documentId !== undefined) await topics.publish(documentId);
        return model.publishTopic(step.slot);
      case "deleteTopic":
        if (documentId === undefined) return;
        await topics.delete(documentId);
        this.#topics.delete(step.slot);
        return model.deleteTopic(step.slot);
    }
  }

  /** Compares everything that can be read with the model. */
  async compare(): Promise<void> {
    for (const status of ["draft", "published"] as const) {
      for (const [index, documentId] of this.#posts) {
        for (const code of ["en", "fr"]) {
          const read = await posts.findOne(documentId, { status, locale: code, populate: ["topics", "lead"] });
          expect(this.#seenPost(read, status), `post ${index} ${code} ${status}`).toEqual(
            this.#wantedPost(index, code, status),
          );
        }
      }
      for (const [index, documentId] of this.#topics) {
        const read = await topics.findOne(documentId, { status, populate: ["posts", "leads"] });
        expect(this.#seenTopic(read), `topic ${index} ${status}`).toEqual(this.#wantedTopic(index, status));
      }
    }
  }

  #indexOf(documents: ReadonlyMap<number, string>, documentId: unknown): number {
    return [...documents].find(([, each]) => each === documentId)?.[0] ?? -1;
  }

  #seenPost(read: unknown, status: State): unknown {
    if (!isObject(read)) return null;
    const listed = itemsOf(read["topics"]).map(({ documentId }) => this.#indexOf(this.#topics, documentId));
    const { lead } = read;
    return {
      title: read["title"],
      rating: read["rating"],
      topics: status === "draft" ? listed : listed.toSorted(),
      lead: isObject(lead) ? this.#indexOf(this.#topics, lead["documentId"]) : null,
    };
  }

  #wantedPost(index: number, code: string, status: State): unknown {
    const version = this.model.posts.get(index)?.[status].get(code);
    if (!version) return null;
    const shown = this.model.shownTopics(version, status);
    return {
      title: version.title,
      rating: version.rating,
      topics: status === "draft" ? [...shown] : shown.toSorted(),
      lead: this.model.shownLead(version, status),
    };
  }

  #seenTopic(read: unknown): unknown {
    if (!isObject(read)) return null;
    const named = (value: unknown) =>
      itemsOf(value)
        .map((item) => this.#indexOf(this.#posts, item["documentId"]))
        .toSorted();
    return { name: read["name"], posts: named(read["posts"]), leads: named(read["leads"]) };
  }

  #wantedTopic(index: number, status: State): unknown {
    const name = this.model.topics.get(index)?.[status];
    if (name === undefined) return null;
    const { model } = this;
    return {
      name,
      posts: model.postsOf(index, status, "topics").toSorted(),
      leads: model.postsOf(index, status, "lead").toSorted(),
    };
  }

  async removeAll(): Promise<void> {
    for (const documentId of this.#posts.values()) await posts.delete(documentId, { locale: "*" });
    for (const documentId of this.#topics.values()) await topics.delete(documentId);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const itemsOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const idOf = (document: unknown): string => (isObject(document) ? String(document["documentId"]) : "");

const counts = async (): Promise<unknown> => {
  const tables = ["documents", "posts", "topics", "posts_topics"];
  const [row] = await world.services.database.rows(
    `select ${tables.map((table) => `(select count(*)::int from ${table})`).join(", ")}`,
  );
  return row;
};

test(
  "every sequence of operations reads as a simple model of it says, and leaves nothing behind",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25, size: "max" }), async (steps) => {
        const run = new Run();
        try {
          for (const step of steps) {
            await run.apply(step);
            await run.compare();
          }
        } finally {
          await run.removeAll();
        }
        expect(await counts()).toEqual([0, 0, 0, 0]);
      }),
      { numRuns: 40, endOnFailure: false },
    );
  },
);
