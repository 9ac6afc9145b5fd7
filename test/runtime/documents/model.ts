/** What the document service promises, as simply as it can be said: documents in memory. */
import type { Status } from "../../../runtime/schema/document.ts";

interface PostVersion {
  readonly title: string;
  readonly rating: number | null;
  /** Indexes of topics, in order. */
  readonly topics: readonly number[];
  /** False once a topic that was published from its own side got a place in the list that only the draft explains. */
  readonly isOrdered: boolean;
  readonly lead: number | null;
  /** A topic that is the cover of one document only, in each locale. */
  readonly cover: number | null;
}

interface PostModel {
  readonly draft: Map<string, PostVersion>;
  readonly published: Map<string, PostVersion>;
}

interface TopicModel {
  draft: string;
  published: string | undefined;
}

export interface PostData {
  readonly title?: string;
  readonly rating?: number | null;
  readonly topics?: readonly number[];
  readonly connect?: readonly number[];
  readonly disconnect?: readonly number[];
  readonly lead?: number | null;
  readonly cover?: number | null;
}

export interface TopicData {
  /** The documents whose drafts in the default locale lead to the topic from now on. */
  readonly posts?: readonly number[];
  readonly coverOf?: number | null;
}

const DEFAULT_LOCALE = "en";

const newTopics = (current: readonly number[], { topics, connect = [], disconnect = [] }: PostData): number[] => {
  if (topics) return [...new Set(topics)];
  const kept = current.filter((topic) => !disconnect.includes(topic) || connect.includes(topic));
  return [...new Set(connect)].reduce((list, topic) => [...list.filter((each) => each !== topic), topic], kept);
};

export class Model {
  readonly posts = new Map<number, PostModel>();
  readonly topics = new Map<number, TopicModel>();

  createPost(index: number, locale: string, data: PostData, status: Status): void {
    this.posts.set(index, { draft: new Map(), published: new Map() });
    this.updatePost(index, locale, data, status);
  }

  updatePost(index: number, locale: string, data: PostData, status: Status): void {
    const post = this.posts.get(index);
    if (!post) return;
    const before = post.draft.get(locale);
    const sibling = before ? undefined : (post.draft.get(DEFAULT_LOCALE) ?? [...post.draft.values()][0]);
    const inherited = data.rating ?? sibling?.rating ?? data.rating ?? null;
    post.draft.set(locale, {
      title: data.title ?? before?.title ?? "",
      rating: before ? (data.rating === undefined ? before.rating : data.rating) : inherited,
      topics: newTopics(before?.topics ?? [], data),
      isOrdered: data.topics !== undefined || (before?.isOrdered ?? true),
      lead: data.lead === undefined ? (before?.lead ?? null) : data.lead,
      cover: data.cover === undefined ? (before?.cover ?? null) : data.cover,
    });
    this.#takeOver(index, locale, "draft");
    this.#copyRating(post.draft, locale);
    if (status === "published") this.publishPost(index, locale);
  }

  publishPost(index: number, locale: string): void {
    const post = this.posts.get(index);
    const draft = post?.draft.get(locale);
    if (!post || !draft) return;
    post.published.set(locale, draft);
    this.#takeOver(index, locale, "published");
    this.#copyRating(post.published, locale);
  }

  /** Nobody else has the cover of a version that was written. */
  #takeOver(index: number, locale: string, status: Status): void {
    const cover = this.posts.get(index)?.[status].get(locale)?.cover ?? null;
    for (const [other, { [status]: versions }] of this.posts) {
      const version = versions.get(locale);
      if (other !== index && cover !== null && version?.cover === cover)
        versions.set(locale, { ...version, cover: null });
    }
  }

  /** The rating is alike in every locale of one status. */
  #copyRating(versions: Map<string, PostVersion>, locale: string): void {
    const rating = versions.get(locale)?.rating ?? null;
    for (const [other, version] of versions) versions.set(other, { ...version, rating });
  }

  unpublishPost(index: number, locale: string): void {
    this.posts.get(index)?.published.delete(locale);
  }

  discardPost(index: number, locale: string): void {
    const post = this.posts.get(index);
    const published = post?.published.get(locale);
    if (!post || !published) return;
    post.draft.set(locale, published);
    this.#copyRating(post.draft, locale);
    this.#takeOver(index, locale, "draft");
  }

  deletePost(index: number, locale: string | undefined): void {
    const post = this.posts.get(index);
    if (!post) return;
    for (const key of locale === undefined ? ["en", "fr"] : [locale]) {
      post.draft.delete(key);
      post.published.delete(key);
    }
    if (post.draft.size === 0) this.posts.delete(index);
  }

  createTopic(index: number, name: string, status: Status): void {
    this.topics.set(index, { draft: name, published: status === "published" ? name : undefined });
  }

  updateTopic(index: number, name: string, { posts, coverOf }: TopicData, status: Status): void {
    const topic = this.topics.get(index);
    if (!topic) return;
    topic.draft = name;
    if (posts) this.#setPosts(index, posts);
    if (coverOf !== undefined) this.#setCoverOf(index, coverOf);
    if (status === "published") this.publishTopic(index);
  }

  #setPosts(topic: number, posts: readonly number[]): void {
    for (const [index, { draft }] of this.posts) {
      for (const [locale, version] of draft) {
        const has = version.topics.includes(topic);
        if (!posts.includes(index) && has) {
          draft.set(locale, { ...version, topics: version.topics.filter((each) => each !== topic) });
        } else if (posts.includes(index) && !has && locale === DEFAULT_LOCALE) {
          draft.set(locale, { ...version, topics: [...version.topics, topic] });
        }
      }
    }
  }

  #setCoverOf(topic: number, post: number | null): void {
    for (const [index, { draft }] of this.posts) {
      for (const [locale, version] of draft) {
        if (index === post && locale === DEFAULT_LOCALE) draft.set(locale, { ...version, cover: topic });
        else if (index !== post && version.cover === topic) draft.set(locale, { ...version, cover: null });
      }
    }
  }

  /** Publishes the topic's side of the relations too: what is published leads to it where the drafts do. */
  publishTopic(index: number): void {
    const topic = this.topics.get(index);
    if (!topic) return;
    topic.published = topic.draft;
    for (const { draft, published } of this.posts.values()) {
      for (const [locale, version] of published) {
        const source = draft.get(locale);
        if (!source) continue;
        const [isLinked, wasLinked] = [source, version].map(({ topics }) => topics.includes(index));
        const kept = isLinked ? version.topics : version.topics.filter((each) => each !== index);
        const pointing = (by: "lead" | "cover") =>
          source[by] === index ? index : version[by] === index ? null : version[by];
        published.set(locale, {
          ...version,
          lead: pointing("lead"),
          cover: pointing("cover"),
          topics: isLinked && !wasLinked ? [...kept, index] : kept,
          isOrdered: version.isOrdered && (!isLinked || wasLinked === true),
        });
      }
    }
  }

  deleteTopic(index: number): void {
    this.topics.delete(index);
    for (const { draft, published } of this.posts.values()) {
      for (const versions of [draft, published]) {
        for (const [locale, version] of versions) {
          versions.set(locale, {
            ...version,
            topics: version.topics.filter((each) => each !== index),
            lead: version.lead === index ? null : version.lead,
            cover: version.cover === index ? null : version.cover,
          });
        }
      }
    }
  }

  /** Topics of a version that have something to show in its status. */
  shownTopics({ topics }: PostVersion, status: Status): readonly number[] {
    return topics.filter((topic) => status === "draft" || this.topics.get(topic)?.published !== undefined);
  }

  shownTopic(version: PostVersion, by: "lead" | "cover", status: Status): number | null {
    const topic = version[by];
    return topic !== null && (status === "draft" || this.topics.get(topic)?.published !== undefined) ? topic : null;
  }

  /** The documents of which versions lead to a topic, once for each locale. */
  postsOf(topic: number, status: Status, by: "topics" | "lead" | "cover"): readonly number[] {
    const leads = (version: PostVersion) => (by === "topics" ? version.topics.includes(topic) : version[by] === topic);
    return [...this.posts].flatMap(([index, versions]) =>
      [...versions[status].values()].filter(leads).map(() => index),
    );
  }
}
