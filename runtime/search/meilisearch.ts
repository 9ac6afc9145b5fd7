/** Meilisearch as a search engine, over its HTTP API. */
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { ServiceUnavailableError } from "../base/errors.ts";
import type { SearchEngine } from "./engine.ts";

/** How to reach a Meilisearch server. */
export interface MeilisearchOptions {
  /** Such as `http://localhost:7700`. */
  readonly url: string;
  /** A key that may read and write the indexes, their settings and tasks. */
  readonly key?: string | undefined;
  /** The beginning of the names of all indexes, where several projects share a server. */
  readonly prefix?: string;
}

/** The most documents that a search finds: by default, Meilisearch returns no more. */
const MOST = 1000;

/** Milliseconds that the server may take to answer, and to carry a task out: a new setting goes through all documents. */
const [ANSWER, TASK] = [5000, 600_000];
/** Milliseconds between questions whether a task is done. */
const [SHORTEST, LONGEST] = [20, 500];

const enqueued = z.object({ taskUid: z.number() });
const task = z.object({ status: z.string(), error: z.object({ message: z.string() }).nullish() });
const hits = z.object({ hits: z.array(z.object({ documentId: z.string() })) });
const settings = z.object({ searchableAttributes: z.array(z.string()) });

type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Sends requests; a missing index is answered with undefined. */
const sender = ({ url, key }: MeilisearchOptions): Send => {
  const base = url.replace(/\/+$/, "");
  const headers = {
    "content-type": "application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const signal = AbortSignal.timeout(ANSWER);
    try {
      const response = await fetch(`${base}${path}`, { method, headers, signal, ...sent });
      const text = await response.text();
      if (response.status === 404 && text.includes("index_not_found")) return undefined;
      if (!response.ok)
        throw new Error(`${method} ${path} was answered with ${response.status}: ${text.slice(0, 500)}`);
      return JSON.parse(text);
    } catch (cause) {
      throw Object.assign(new ServiceUnavailableError("The search engine is not available"), { cause });
    }
  };
};

/** Waits until a task is done: tasks of an index are done in their order. */
const done = async (send: Send, answer: unknown): Promise<void> => {
  const { taskUid } = enqueued.parse(answer);
  const until = performance.now() + TASK;
  for (let pause = SHORTEST; performance.now() < until; pause = Math.min(LONGEST, 2 * pause)) {
    const { status, error } = task.parse(await send("GET", `/tasks/${taskUid}`));
    if (status === "succeeded") return;
    // What is not there cannot be removed.
    if (status === "failed" && error?.message.includes("not found")) return;
    if (status === "failed" || status === "canceled")
      throw new Error(error?.message ?? `Task ${taskUid} was ${status}`);
    await wait(pause, undefined, { ref: false });
  }
  throw new Error(`Task ${taskUid} of the search engine is not done yet`);
};

/** Attributes as Meilisearch knows them. */
const named = (attributes: readonly string[]): readonly string[] => attributes.map((name) => `text.${name}`);

/**
 * A Meilisearch server for `search.engine`.
 *
 * @example
 * ```ts
 * export default defineConfig({ events: {}, search: { engine: meilisearch({ url: "http://localhost:7700" }) } });
 * ```
 */
export const meilisearch = (options: MeilisearchOptions): SearchEngine => {
  const send = sender(options);
  const pathOf = (index: string): string => `/indexes/${options.prefix ?? ""}${index}`;
  const set = async (index: string, changed: object): Promise<void> =>
    done(send, await send("PATCH", `${pathOf(index)}/settings`, changed));
  return {
    async prepare(index, attributes) {
      const known = await send("GET", `${pathOf(index)}/settings`);
      const isKnown =
        known !== undefined && String(settings.parse(known).searchableAttributes) === String(named(attributes));
      if (!isKnown) await set(index, { filterableAttributes: ["locale"] });
      return !isKnown;
    },
    filled: (index, attributes) => set(index, { searchableAttributes: named(attributes) }),
    put: async (index, documents) =>
      done(send, await send("POST", `${pathOf(index)}/documents?primaryKey=id`, documents)),
    remove: async (index, ids) => done(send, await send("POST", `${pathOf(index)}/documents/delete-batch`, ids)),
    async find(index, { words, locale }) {
      const filter = locale === null ? {} : { filter: `locale = ${JSON.stringify(locale)}` };
      const query = { q: words, limit: MOST, matchingStrategy: "all", attributesToRetrieve: ["documentId"], ...filter };
      const found = await send("POST", `${pathOf(index)}/search`, query);
      if (found === undefined) throw new ServiceUnavailableError("The search engine has no index yet");
      return hits.parse(found).hits.map(({ documentId }) => documentId);
    },
  };
};
