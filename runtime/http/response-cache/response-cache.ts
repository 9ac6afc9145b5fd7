/**
 * The response cache. It runs before Hono, and either sends a stored response or passes the request on untouched. Every
 * hit first checks the database snapshot, so a stored response is always what reading again would give.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Caller } from "../../access/caller.ts";
import type { Auth } from "../../accounts/auth.ts";
import { Numbers } from "../../base/numbers.ts";
import type { Config } from "../../config/config.ts";
import type { DatabaseSnapshot } from "../../database/snapshots.ts";
import { noteHit, recordOf, REQUEST_ID } from "../../telemetry/request-record.ts";
import { createCors, type Cors } from "../frame/cors.ts";
import type { AnswerHeaders, Headers } from "../frame/headers.ts";
import { fitted, type ReadAnswer, type Reply } from "../frame/read-answer.ts";
import { isBodilessRead, type LookupHeaders, lookupHeaders, lookupKey } from "./lookup.ts";
import { giveBack, smallLength, takeBody } from "./lookup.ts";

/**
 * Headers as a list of names and values in turn, which Node writes faster than an object.
 *
 * @param all names and values in turn
 * @param own headers that override `all`
 */
const withOwn = (all: readonly string[], own: Headers): string[] => {
  const list = [...all];
  for (const name of Object.keys(own)) {
    let at = 0;
    while (at < all.length && list[at] !== name) at += 2;
    if (at >= all.length) at = list.length;
    list[at] = name;
    list[at + 1] = own[name] ?? "";
  }
  return list;
};

/** @param standard the standard headers, which those of the reply override */
const send = (outgoing: ServerResponse, standard: AnswerHeaders, { status, headers, body }: Reply): void => {
  const all = withOwn(standard.list, headers);
  const record = recordOf(outgoing.req);
  if (record) all.push(REQUEST_ID, record.id);
  if (body !== null) all.push("Content-Length", String(body.length));
  outgoing.writeHead(status, all);
  outgoing.end(body ?? undefined);
};

/** A single answer may take at most one eighth of the cache's memory. */
const LARGEST = 8;

/** Bytes that an entry takes besides its key and answer. */
const ENTRY = 250;

/** What the cache knows about a request. */
interface Entry {
  /** The database snapshot when the request was last passed on. */
  readonly snapshot: DatabaseSnapshot | undefined;
  /** The response read in that snapshot, if it is stored. */
  readonly answer?: ReadAnswer;
  /** Whether the stored response was ever sent. */
  wasUsed: boolean;
  /** The pattern of the route that answered. */
  readonly route?: string | undefined;
}

/** A request that was passed on, and whose answer will be stored. */
interface Pending {
  readonly key: string;
  readonly rights: string;
  readonly snapshot: DatabaseSnapshot;
}

interface Request {
  readonly incoming: IncomingMessage;
  readonly headers: LookupHeaders;
  readonly body: string;
}

export class ResponseCache {
  readonly #config: Config;
  readonly #auth: Pick<Auth, "known">;
  readonly #snapshot: () => Promise<DatabaseSnapshot | undefined>;
  readonly #cors: Cors;
  readonly #entries: LRUCache<string, Entry>;
  readonly #pending = new WeakMap<IncomingMessage, Pending>();
  readonly #numbers = new Numbers();
  /** The latest known snapshot. */
  #latest: DatabaseSnapshot | undefined;
  /** The number of requests answered from the cache. */
  hits = 0;

  /** @param snapshot asks for the database snapshot; undefined if that cannot be determined */
  constructor(config: Config, auth: Pick<Auth, "known">, snapshot: () => Promise<DatabaseSnapshot | undefined>) {
    this.#config = config;
    this.#auth = auth;
    this.#snapshot = snapshot;
    this.#cors = createCors(config);
    this.#entries = new LRUCache({
      maxSize: config.cache.bytes,
      sizeCalculation: ({ answer }, key) => (answer?.size ?? 0) + key.length + ENTRY,
    });
  }

  /** The memory that stored responses take. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** Sends the stored response to a request, or passes the request on. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse, pass: () => void): void {
    const { url = "", method } = incoming;
    const isGraphql = url.startsWith(this.#config.graphql.endpoint);
    if (isBodilessRead(incoming) && (isGraphql || url.startsWith(this.#config.rest.prefix))) {
      return void this.#respond(incoming, outgoing, { body: "", pass });
    }
    const length = isGraphql && method === "POST" ? smallLength(incoming) : undefined;
    if (length === undefined) return pass();
    void this.#respondToBody(incoming, outgoing, { length, pass });
  }

  /** Whether the cache waits for the response to a request, to store it. */
  awaits(incoming: IncomingMessage): boolean {
    return this.#pending.has(incoming);
  }

  /** Stores the response to a request, if the cache waits for it. */
  store(incoming: IncomingMessage, caller: Caller, answer: ReadAnswer): void {
    const pending = this.#pending.get(incoming);
    // The caller's rights may have changed since the request was looked up.
    if (!pending || this.#rightsOf(caller) !== pending.rights) return;
    if (answer.size > this.#config.cache.bytes / LARGEST) return;
    // If something was committed since the lookup, the snapshot has passed for good, and this response is never sent.
    this.#entries.set(pending.key, {
      snapshot: pending.snapshot,
      answer: answer.toBytes(),
      wasUsed: false,
      route: recordOf(incoming)?.route,
    });
  }

  async #respondToBody(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { length, pass }: { readonly length: number; readonly pass: () => void },
  ): Promise<void> {
    const body = await takeBody(incoming, length);
    if (!body) return pass();
    const passWhole = (): void => {
      giveBack(incoming, body);
      pass();
    };
    return this.#respond(incoming, outgoing, { body: body.toString("latin1"), pass: passWhole });
  }

  async #respond(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { body, pass }: { readonly body: string; readonly pass: () => void },
  ): Promise<void> {
    const headers = lookupHeaders(incoming);
    const reply = await this.#find({ incoming, headers, body }).catch(() => undefined);
    if (!reply) return pass();
    try {
      const origin = headers.get("origin");
      send(outgoing, origin === undefined ? this.#cors.withoutOrigin : this.#cors.headers(origin), reply);
    } catch {
      outgoing.destroy();
    }
  }

  /** The stored response; undefined if the request has to be passed on. */
  async #find({ incoming, headers, body }: Request): Promise<Reply | undefined> {
    const caller = this.#auth.known(headers.get("authorization"));
    if (!caller) return undefined;
    const rights = this.#rightsOf(caller);
    const key = lookupKey(incoming, headers, { rights, body });
    const entry = this.#entries.get(key);
    if (!entry || !this.#isWorthAsking(entry)) return this.#note(key, this.#latest);
    const snapshot = await this.#snapshot();
    this.#latest = snapshot;
    if (snapshot === undefined) return undefined;
    if (entry.snapshot !== snapshot && !entry.wasUsed) return this.#note(key, snapshot);
    if (entry.snapshot !== snapshot || !entry.answer) {
      this.#pending.set(incoming, { key, rights, snapshot });
      return undefined;
    }
    entry.wasUsed = true;
    this.hits += 1;
    noteHit(incoming, caller, entry.route);
    return this.#fitted(key, entry.answer, headers);
  }

  /**
   * A response is worth storing if the same request came before with no known commit in between, or if the response
   * that it replaces was used.
   */
  #isWorthAsking({ snapshot, wasUsed }: Entry): boolean {
    return wasUsed || snapshot === this.#latest;
  }

  /** Records a request whose answer is not stored. */
  #note(key: string, snapshot: DatabaseSnapshot | undefined): undefined {
    this.#entries.set(key, { snapshot, wasUsed: false });
  }

  async #fitted(key: string, answer: ReadAnswer, headers: LookupHeaders): Promise<Reply> {
    const { size } = answer;
    const codings = this.#config.server.compression ? headers.get("accept-encoding") : undefined;
    const reply = await fitted(answer, { known: headers.get("if-none-match"), codings });
    const entry = this.#entries.peek(key);
    // A compressed form was added. The cache measures an entry only when it is stored, so store it as a new object.
    if (answer.size !== size && entry?.answer === answer) this.#entries.set(key, { ...entry });
    return reply;
  }

  /** Equal for exactly the callers with the same permissions, which share the objects `can` and `fields`. */
  #rightsOf({ kind, can, fields, rows }: Caller): string {
    return `${kind} ${this.#numbers.of(can)} ${fields ? this.#numbers.of(fields) : 0} ${rows?.key ?? ""}`;
  }
}
