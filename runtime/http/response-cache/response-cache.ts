/**
 * The response cache. It stands before Hono, and either sends a stored answer or passes the request on untouched. Every
 * hit asks for the snapshot of the database first, so a stored answer is always what reading again would give.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Caller } from "../../access/caller.ts";
import type { Auth } from "../../accounts/auth.ts";
import { Numbers } from "../../base/numbers.ts";
import type { Config } from "../../config/config.ts";
import type { DatabaseSnapshot } from "../../database/snapshots.ts";
import { noteHit, recordOf } from "../../telemetry/request-record.ts";
import { createCors, type Cors } from "../frame/cors.ts";
import { fitted, type ReadAnswer, type Reply } from "../frame/read-answer.ts";
import { isBodilessRead, type LookupHeaders, lookupHeaders, lookupKey } from "./lookup.ts";
import { send } from "./send.ts";
import { giveBack, smallLength, takeBody } from "./small-body.ts";

/** Which part of the memory a single answer may take. */
const LARGEST = 8;

/** Bytes that an entry takes beside its key and answer. */
const ENTRY = 250;

/** What is known of a request. */
interface Entry {
  /** The snapshot when the request was last passed on. */
  readonly snapshot: DatabaseSnapshot | undefined;
  /** The answer that was read in that snapshot, if it is stored. */
  readonly answer?: ReadAnswer;
  /** Whether the stored answer was sent. */
  wasUsed: boolean;
  /** The pattern of the route that gave the answer. */
  readonly route?: string | undefined;
}

/** A request that was passed on, whose answer is to be stored. */
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
  /** The last snapshot that was asked for. */
  #latest: DatabaseSnapshot | undefined;
  /** How many requests were answered from the cache. */
  hits = 0;

  /** @param snapshot asks for the snapshot of the database; undefined where it cannot be determined */
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

  /** The memory that stored answers take. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** Sends the stored answer to a request, or passes the request on. */
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

  /** Whether the answer to a request is to be stored. */
  awaits(incoming: IncomingMessage): boolean {
    return this.#pending.has(incoming);
  }

  /** Stores what a request was answered with, if the cache waits for it. */
  store(incoming: IncomingMessage, caller: Caller, answer: ReadAnswer): void {
    const pending = this.#pending.get(incoming);
    // The caller's rights may have changed since the request was looked up.
    if (!pending || this.#rightsOf(caller) !== pending.rights) return;
    if (answer.size > this.#config.cache.bytes / LARGEST) return;
    // If something was committed since the lookup, the snapshot has passed for good, and this answer is never sent.
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
      send(outgoing, this.#cors.headers(headers.get("origin")), reply);
    } catch {
      outgoing.destroy();
    }
  }

  /** The stored answer; undefined if the request has to be passed on. */
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
   * An answer is stored when its request has come before with nothing committed in between, as far as is known, or when
   * the answer that it replaces was used.
   */
  #isWorthAsking({ snapshot, wasUsed }: Entry): boolean {
    return wasUsed || snapshot === this.#latest;
  }

  /** Notes that a request came, whose answer is not stored. */
  #note(key: string, snapshot: DatabaseSnapshot | undefined): undefined {
    this.#entries.set(key, { snapshot, wasUsed: false });
  }

  async #fitted(key: string, answer: ReadAnswer, headers: LookupHeaders): Promise<Reply> {
    const { size } = answer;
    const codings = this.#config.server.compression ? headers.get("accept-encoding") : undefined;
    const reply = await fitted(answer, { known: headers.get("if-none-match"), codings });
    const entry = this.#entries.peek(key);
    // A compressed form was made. The cache weighs an entry only when it is stored, so a new object is stored.
    if (answer.size !== size && entry?.answer === answer) this.#entries.set(key, { ...entry });
    return reply;
  }

  /** The same for callers with the same permissions, and for nobody else: `can` and `fields` are objects that they share. */
  #rightsOf({ kind, can, fields, rows }: Caller): string {
    return `${kind} ${this.#numbers.of(can)} ${fields ? this.#numbers.of(fields) : 0} ${rows?.key ?? ""}`;
  }
}
