/**
 * What is remembered of answers to reads, and reused as long as nothing has been committed to the database: whole answers,
 * or only which version an answer was.
 */
import type { Caller } from "../../access/caller.ts";
import { rightsOf } from "../../access/rights.ts";
import { Numbers } from "../../base/numbers.ts";
import { SnapshotCache } from "../../database/snapshot-cache.ts";
import type { DatabaseSnapshot } from "../../database/snapshots.ts";
import type { Format } from "../../query/index.ts";
import { KeptAnswer, type ReadAnswer, readAnswer, type Version } from "../frame/read-text.ts";

/** Longest key that is cached, since clients can send queries of any length. */
const LONGEST = 2000;

/** Identifies a read, apart from the rights of its caller. */
export interface Asked {
  readonly uid: string;
  /** Which kind of read it is. */
  readonly read: "find" | "findOne" | "findSingle";
  readonly documentId?: string;
  /** The query string, without the `?`. */
  readonly query: string;
  /** The wire format of the answer, which also determines how the query is interpreted. */
  readonly format: Format;
}

/** Identifies a GraphQL query, apart from the rights of its caller. */
export interface AskedOperation {
  /** The parsed text. */
  readonly document: object;
  /** The name of the operation; empty if there is none. */
  readonly name: string;
  /** The values of its variables, as text that differs if they do. */
  readonly variables: string;
}

/** What is known of the answer to an operation. */
export interface KeptOperation {
  /** The answer, if it is kept. */
  readonly answer?: KeptAnswer | undefined;
  /** The snapshot of the database, if it was asked for. */
  readonly snapshot: DatabaseSnapshot | undefined;
  /** Keeps the answer, if it was read from nothing but the database after this was looked up. */
  keep(text: string): void;
}

type Read = (snapshot?: DatabaseSnapshot) => Promise<string>;

/** Makes the keys of one cache. */
class Keys {
  readonly #numbers = new Numbers();

  /**
   * The key of a read; undefined if the caller shares its permissions with nobody, since the answer could not be
   * reused.
   */
  of(caller: Caller, { uid, read, documentId = "", query, format }: Asked): string | undefined {
    const who = this.#whoIs(caller);
    if (who === undefined || query.length + documentId.length > LONGEST) return undefined;
    return `${who} ${uid} ${read} ${format} ${documentId.length} ${documentId}?${query}`;
  }

  /** The same for an operation. No uid is called so. */
  ofOperation(caller: Caller, { document, name, variables }: AskedOperation): string | undefined {
    const who = this.#whoIs(caller);
    if (who === undefined || name.length + variables.length > LONGEST) return undefined;
    return `${who} graphql ${this.#numbers.of(document)} ${name.length} ${name}?${variables}`;
  }

  /** Those who may do the same. */
  #whoIs(caller: Caller): string | undefined {
    const rights = rightsOf(caller);
    const { kind, fields } = caller;
    return rights && `${kind} ${this.#numbers.of(rights)} ${fields ? this.#numbers.of(fields) : 0}`;
  }
}

/** Whole answers, for all requests. */
export class KeptAnswers {
  readonly #cache: SnapshotCache<KeptAnswer>;
  readonly #keys = new Keys();

  constructor(snapshot: () => Promise<DatabaseSnapshot | undefined>, size: number) {
    this.#cache = new SnapshotCache({ snapshot, size, weigh: (answer) => answer.size });
  }

  get hits(): number {
    return this.#cache.hits;
  }

  /** The cached answer, or the result of `read`. */
  async of(caller: Caller, asked: Asked, read: Read): Promise<ReadAnswer> {
    const key = this.#keys.of(caller, asked);
    if (key === undefined) return readAnswer(await read());
    const found = await this.#cache.lookUp(key);
    if (found.value) return found.value;
    const text = await read(found.snapshot);
    if (!found.isWanted) return readAnswer(text);
    const answer = new KeptAnswer(text, () => this.#cache.weighAgain(key));
    this.#cache.store(key, answer, found);
    return answer;
  }

  /** Looks for the answer to an operation; undefined where it is never kept. */
  async ofOperation(caller: Caller, asked: AskedOperation): Promise<KeptOperation | undefined> {
    const key = this.#keys.ofOperation(caller, asked);
    if (key === undefined) return undefined;
    const found = await this.#cache.lookUp(key);
    const { value: answer, snapshot, isWanted } = found;
    const grown = (): void => this.#cache.weighAgain(key);
    const keep = (text: string): void => {
      if (isWanted) this.#cache.store(key, new KeptAnswer(text, grown), found);
    };
    return { answer, snapshot, keep };
  }
}

/** Most bytes of memory for all versions together. */
const VERSIONS = 4_000_000;
/** Bytes that a version takes. */
const VERSION = 200;

/** Only the versions of answers, for requests that come with a condition: all that a 304 needs. */
export class KeptVersions {
  readonly #cache: SnapshotCache<Version>;
  readonly #keys = new Keys();

  constructor(snapshot: () => Promise<DatabaseSnapshot | undefined>) {
    this.#cache = new SnapshotCache({ snapshot, size: VERSIONS, weigh: () => VERSION });
  }

  get hits(): number {
    return this.#cache.hits;
  }

  /**
   * The version of the answer, if it is known and the client has it; otherwise the result of `read`.
   *
   * @param isHeld whether the client has the version with a tag
   */
  async of(caller: Caller, asked: Asked, isHeld: (tag: string) => boolean, read: Read): Promise<ReadAnswer | Version> {
    const key = this.#keys.of(caller, asked);
    if (key === undefined) return readAnswer(await read());
    const last = this.#cache.peek(key);
    if (last && !isHeld(last.tag)) return this.#replaced(key, last, readAnswer(await read()));
    const found = await this.#cache.lookUp(key);
    if (found.value && isHeld(found.value.tag)) return found.value;
    const answer = readAnswer(await read(found.snapshot));
    const { tag, isLong } = answer;
    this.#cache.store(key, { tag, isLong }, found);
    return answer;
  }

  /**
   * The answer for a client that does not have the last known version: asking for the snapshot could not save the read,
   * which shows whether that version still holds.
   */
  #replaced(key: string, last: Version, answer: ReadAnswer): ReadAnswer {
    if (answer.tag !== last.tag) this.#cache.drop(key);
    return answer;
  }
}
