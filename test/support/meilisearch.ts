/**
 * A server that answers as the documentation of Meilisearch's API describes: documents, settings, tasks and searches.
 * It finds words by their beginning, of which a letter may be missing.
 */
import { createServer } from "node:http";
import { z } from "zod";
import { listenOnFreePort } from "./listen.ts";

const documents = z.array(
  z.object({
    id: z.string().regex(/^[\w-]+$/),
    documentId: z.string(),
    locale: z.string().nullable(),
    text: z.record(z.string(), z.string()),
  }),
);
type Document = z.infer<typeof documents>[number];

const changed = z.strictObject({
  searchableAttributes: z.array(z.string()).optional(),
  filterableAttributes: z.array(z.string()).optional(),
});
const asked = z.strictObject({
  q: z.string(),
  limit: z.number().max(1000),
  matchingStrategy: z.literal("all"),
  attributesToRetrieve: z.tuple([z.literal("documentId")]),
  filter: z.string().optional(),
});

interface Index {
  readonly documents: Map<string, Document>;
  settings: { readonly searchableAttributes: readonly string[]; readonly filterableAttributes: readonly string[] };
}

const begins = (word: string, sought: string): boolean =>
  word.startsWith(sought) ||
  (sought.length > 3 &&
    Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)).some((each) => each.startsWith(sought)));

const matches = ({ text }: Document, words: string): boolean => {
  const own = Object.values(text).join(" ").toLowerCase().split(/\W+/);
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((sought) => own.some((word) => begins(word, sought)));
};

interface Answer {
  readonly status?: number;
  readonly body: object;
}

/** The indexes, and what requests do to them. */
class Indexes {
  readonly all = new Map<string, Index>();
  readonly words: string[] = [];
  #tasks = 0;

  #index(name: string): Index {
    const known = this.all.get(name) ?? {
      documents: new Map<string, Document>(),
      settings: { searchableAttributes: ["*"], filterableAttributes: [] },
    };
    this.all.set(name, known);
    return known;
  }

  #enqueued(indexUid: string): Answer {
    this.#tasks += 1;
    return { status: 202, body: { taskUid: this.#tasks, indexUid, status: "enqueued", type: "any", enqueuedAt: "" } };
  }

  #search(name: string, body: unknown): Answer {
    const { q, limit, filter } = asked.parse(body);
    const index = this.#index(name);
    if (filter !== undefined && !index.settings.filterableAttributes.includes("locale"))
      return { status: 400, body: { message: "locale is not filterable", code: "invalid_search_filter" } };
    this.words.push(q);
    const hits = [...index.documents.values()].filter(
      (each) => matches(each, q) && (filter === undefined || filter === `locale = "${each.locale}"`),
    );
    // The shortest text is the best.
    const order = hits.toSorted((one, other) => JSON.stringify(one.text).length - JSON.stringify(other.text).length);
    const shown = order.slice(0, limit).map(({ documentId }) => ({ documentId }));
    return { body: { hits: shown, query: q, limit, offset: 0, estimatedTotalHits: hits.length, processingTimeMs: 0 } };
  }

  answer(method: string, path: string, body: unknown): Answer {
    const [, kind, name = "", ...rest] = path.split(/[/?]/);
    if (kind === "tasks") return { body: { uid: Number(name), status: "succeeded", error: null } };
    const action = `${method} ${rest.filter((part) => !part.includes("=")).join("/")}`;
    const isMissing = !this.all.has(name);
    if (isMissing && (action === "GET settings" || action === "POST search"))
      return { status: 404, body: { message: `Index \`${name}\` not found.`, code: "index_not_found" } };
    const index = this.#index(name);
    if (action === "GET settings") return { body: index.settings };
    if (action === "POST search") return this.#search(name, body);
    if (action === "PATCH settings") {
      const { searchableAttributes, filterableAttributes } = changed.parse(body);
      index.settings = {
        searchableAttributes: searchableAttributes ?? index.settings.searchableAttributes,
        filterableAttributes: filterableAttributes ?? index.settings.filterableAttributes,
      };
    } else if (action === "POST documents")
      for (const each of documents.parse(body)) index.documents.set(each.id, each);
    else if (action === "POST documents/delete-batch")
      for (const id of z.array(z.string()).parse(body)) index.documents.delete(id);
    else return { status: 405, body: { message: `No ${action}`, code: "method_not_allowed" } };
    return this.#enqueued(name);
  }
}

/** Listens until the work that is given to `atEnd` is done. */
export const openMeilisearch = async (key: string, atEnd: (work: () => void) => unknown) => {
  const indexes = new Indexes();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const isKnown = request.headers.authorization === `Bearer ${key}`;
      const { status = 200, body } = isKnown
        ? indexes.answer(request.method ?? "", request.url ?? "", text === "" ? undefined : JSON.parse(text))
        : { status: 403, body: { message: "The provided API key is invalid.", code: "invalid_api_key" } };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  const url = await listenOnFreePort(server);
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  atEnd(close);
  return {
    url,
    /** The words searched for. */
    words: indexes.words,
    /** The texts of an index, by id. */
    texts: (name: string) =>
      Object.fromEntries([...(indexes.all.get(name)?.documents.values() ?? [])].map(({ id, text }) => [id, text])),
    close,
  };
};
