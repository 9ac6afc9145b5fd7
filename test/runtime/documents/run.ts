import { expect } from "vitest";
import { isRecord } from "../../../runtime/base/is-record.ts";
import type { Status } from "../../../runtime/schema/document.ts";
import { idOf } from "../../support/document-id.ts";
import { Model, type PostData, type TopicData } from "./model.ts";
import type { Operation } from "./operations.ts";
import type { World } from "./world.ts";

/** Does the same to the documents and to the model. */
export class Run {
  readonly model = new Model();
  readonly #posts = new Map<number, string>();
  readonly #topics = new Map<number, string>();
  readonly #world: World;
  #count = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Topics that are there, by documentId. */
  #links(indexes: readonly number[]): string[] {
    return indexes.flatMap((index) => this.#topics.get(index) ?? []);
  }

  #known(data: PostData): PostData {
    const there = (indexes: readonly number[] | undefined) => indexes?.filter((index) => this.#topics.has(index));
    const isGone = (index: number | null) => index !== null && !this.#topics.has(index);
    const { topics: set, connect, disconnect, lead, cover, ...rest } = data;
    return {
      ...rest,
      ...(set ? { topics: there(set) ?? [] } : {}),
      ...(connect ? { connect: there(connect) ?? [] } : {}),
      ...(disconnect ? { disconnect: there(disconnect) ?? [] } : {}),
      ...(lead === undefined || isGone(lead) ? {} : { lead }),
      ...(cover === undefined || isGone(cover) ? {} : { cover }),
    };
  }

  /** Without posts that have no draft in the default locale, which is what the other side leads to. */
  #knownPosts({
    posts,
    coverOf,
  }: {
    posts: readonly number[] | undefined;
    coverOf: number | null | undefined;
  }): TopicData {
    const isThere = (index: number) => this.model.posts.get(index)?.draft.has("en") === true;
    return {
      ...(posts ? { posts: posts.filter(isThere) } : {}),
      ...(coverOf === undefined || (coverOf !== null && !isThere(coverOf)) ? {} : { coverOf }),
    };
  }

  #body(data: PostData): Record<string, unknown> {
    const { topics: set, connect, disconnect, lead, cover, ...rest } = data;
    const topic = (index: number | null) => (index === null ? null : this.#topics.get(index));
    const changes = connect || disconnect;
    return {
      ...rest,
      ...(set ? { topics: this.#links(set) } : {}),
      ...(!set && changes
        ? { topics: { connect: this.#links(connect ?? []), disconnect: this.#links(disconnect ?? []) } }
        : {}),
      ...(lead === undefined ? {} : { lead: topic(lead) }),
      ...(cover === undefined ? {} : { cover: topic(cover) }),
    };
  }

  async apply(step: Operation): Promise<void> {
    this.#count += 1;
    const { model } = this;
    const { posts, topics } = this.#world;
    const name = `${step.kind} ${this.#count}`;
    const documentId = step.kind.endsWith("Post") ? this.#posts.get(step.slot) : this.#topics.get(step.slot);
    switch (step.kind) {
      case "createPost": {
        if (documentId !== undefined) return;
        const data = { ...this.#known(step.data), title: name };
        const query = { data: this.#body(data), locale: step.locale, status: step.status };
        this.#posts.set(step.slot, idOf(await posts.create(query)));
        return model.createPost(step.slot, step.locale, data, step.status);
      }
      case "updatePost": {
        if (documentId === undefined) return;
        const data = { ...this.#known(step.data), title: name };
        await posts.update(documentId, { data: this.#body(data), locale: step.locale, status: step.status });
        return model.updatePost(step.slot, step.locale, data, step.status);
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
        this.#topics.set(step.slot, idOf(await topics.create({ data: { name }, status: step.status })));
        return model.createTopic(step.slot, name, step.status);
      case "updateTopic": {
        if (documentId === undefined) return;
        const data = this.#knownPosts(step);
        const links = {
          ...(data.posts ? { posts: data.posts.flatMap((index) => this.#posts.get(index) ?? []) } : {}),
          ...(data.coverOf === undefined ? {} : { coverOf: this.#posts.get(data.coverOf ?? -1) ?? null }),
        };
        await topics.update(documentId, { data: { name, ...links }, status: step.status });
        return model.updateTopic(step.slot, name, data, step.status);
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
    const { posts, topics } = this.#world;
    for (const status of ["draft", "published"] as const) {
      for (const code of ["en", "fr"]) {
        const read = await posts.find({ status, locale: code, populate: ["topics", "lead", "cover"] });
        for (const [index, documentId] of this.#posts) {
          expect(this.#seenPost(documentIn(read, documentId)), `post ${index} ${code} ${status}`).toEqual(
            this.#wantedPost(index, code, status),
          );
        }
      }
      const read = await topics.find({ status, populate: ["posts", "leads", "coverOf"] });
      for (const [index, documentId] of this.#topics) {
        expect(this.#seenTopic(documentIn(read, documentId)), `topic ${index} ${status}`).toEqual(
          this.#wantedTopic(index, status),
        );
      }
    }
  }

  #indexOf(documents: ReadonlyMap<number, string>, documentId: unknown): number {
    return [...documents].find(([, each]) => each === documentId)?.[0] ?? -1;
  }

  #seenPost(read: unknown): unknown {
    if (!isRecord(read)) return null;
    const listed = itemsOf(read["topics"]).map(({ documentId }) => this.#indexOf(this.#topics, documentId));
    const topic = (value: unknown) => (isRecord(value) ? this.#indexOf(this.#topics, value["documentId"]) : null);
    return {
      title: read["title"],
      rating: read["rating"],
      topics: listed,
      lead: topic(read["lead"]),
      cover: topic(read["cover"]),
    };
  }

  #wantedPost(index: number, code: string, status: Status): unknown {
    const version = this.model.posts.get(index)?.[status].get(code);
    if (!version) return null;
    const shown = this.model.shownTopics(version, status);
    return {
      title: version.title,
      rating: version.rating,
      topics: version.isOrdered ? shown : sameNumbers(shown),
      lead: this.model.shownTopic(version, "lead", status),
      cover: this.model.shownTopic(version, "cover", status),
    };
  }

  #seenTopic(read: unknown): unknown {
    if (!isRecord(read)) return null;
    const named = (value: unknown) =>
      itemsOf(value)
        .map((item) => this.#indexOf(this.#posts, item["documentId"]))
        .toSorted();
    const { coverOf } = read;
    return {
      name: read["name"],
      posts: named(read["posts"]),
      leads: named(read["leads"]),
      coverOf: isRecord(coverOf) ? this.#indexOf(this.#posts, coverOf["documentId"]) : null,
    };
  }

  #wantedTopic(index: number, status: Status): unknown {
    const name = this.model.topics.get(index)?.[status];
    if (name === undefined) return null;
    const { model } = this;
    // Each locale may have a document of its own with this cover, of which one is shown.
    const covered = model.postsOf(index, status, "cover");
    return {
      name,
      posts: model.postsOf(index, status, "topics").toSorted(),
      leads: model.postsOf(index, status, "lead").toSorted(),
      coverOf: covered.length > 1 ? expect.toBeOneOf([...covered]) : (covered[0] ?? null),
    };
  }

  async removeAll(): Promise<void> {
    const { posts, topics } = this.#world;
    for (const documentId of this.#posts.values()) await posts.delete(documentId, { locale: "*" });
    for (const documentId of this.#topics.values()) await topics.delete(documentId);
  }
}

const itemsOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];
const sameNumbers = (wanted: readonly number[]) =>
  expect.toSatisfy((list: readonly number[]) => String(list.toSorted()) === String(wanted.toSorted()));
const documentIn = (documents: readonly unknown[], documentId: string): unknown =>
  documents.find((each) => idOf(each) === documentId);
