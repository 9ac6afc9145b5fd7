/** What the document service promises, as simply as it can be said: documents in memory. */
export type State = "draft" | "published";

interface PostVersion {
  readonly title: string;
  readonly rating: number | null;
  /** Indexes of topics, in order. */
  readonly topics: readonly number[];
  readonly lead: number | null;
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

  createPost(index: number, locale: string, data: PostData, state: State): void {
    this.posts.set(index, { draft: new Map(), published: new Map() });
    this.updatePost(index, locale, data, state);
  }

  updatePost(index: number, locale: string, data: PostData, state: State): void {
    const post = this.posts.get(index);
    if (!post) return;
    const before = post.draft.get(locale);
    const sibling = before ? undefined : (post.draft.get(DEFAULT_LOCALE) ?? [...post.draft.values()][0]);
    const inherited = data.rating ?? sibling?.rating ?? data.rating ?? null;
    post.draft.set(locale, {
      title: data.title ?? before?.title ?? "",
      rating: before ? (data.rating === undefined ? before.rating : data.rating) : inherited,
      topics: newTopics(before?.topics ?? [], data),
      lead: data.lead === undefined ? (before?.lead ?? null) : data.lead,
    });
    if (state === "published") this.publishPost(index, locale);
    else this.#copyRating(post.draft, locale);
  }

  publishPost(index: number, locale: string): void {
    const post = this.posts.get(index);
    const draft = post?.draft.get(locale);
    if (!post || !draft) return;
    post.published.set(locale, draft);
    this.#copyRating(post.published, locale);
  }

  /** The rating is alike in every locale of one state. */
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
    if (post && published) post.draft.set(locale, published);
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

  createTopic(index: number, name: string, state: State): void {
    this.topics.set(index, { draft: name, published: state === "published" ? name : undefined });
  }

  /** `posts`: the documents whose drafts in the default locale lead to the topic from now on. */
  updateTopic(index: number, name: string, posts: readonly number[] | undefined, state: State): void {
    const topic = this.topics.get(index);
    if (!topic) return;
    topic.draft = name;
    if (posts) this.#setPosts(index, posts);
    if (state === "published") this.publishTopic(index);
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

  /** Publishes the topic's side of the relations too: what is published leads to it where the drafts do. */
  publishTopic(index: number): void {
    const topic = this.topics.get(index);
    if (!topic) return;
    topic.published = topic.draft;
    for (const { draft, published } of this.posts.values()) {
      for (const [locale, version] of published) {
        const source = draft.get(locale);
        if (!source) continue;
        const others = version.topics.filter((each) => each !== index);
        const lead = source.lead === index ? index : version.lead === index ? null : version.lead;
        published.set(locale, {
          ...version,
          lead,
          topics: source.topics.includes(index) ? [...others, index] : others,
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
          });
        }
      }
    }
  }

  /** Topics of a version that have something to show in its state, in order. */
  shownTopics({ topics }: PostVersion, state: State): readonly number[] {
    return topics.filter((topic) => state === "draft" || this.topics.get(topic)?.published !== undefined);
  }

  shownLead({ lead }: PostVersion, state: State): number | null {
    return lead !== null && (state === "draft" || this.topics.get(lead)?.published !== undefined) ? lead : null;
  }

  /** The documents of which a version leads to a topic: a list shows one version of each. */
  postsOf(topic: number, state: State, by: "topics" | "lead"): readonly number[] {
    const leads = (version: PostVersion) => (by === "lead" ? version.lead === topic : version.topics.includes(topic));
    return [...this.posts].flatMap(([index, versions]) => ([...versions[state].values()].some(leads) ? [index] : []));
  }
}
