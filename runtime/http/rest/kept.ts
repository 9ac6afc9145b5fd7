/** A cache of answers to reads: an answer is reused as long as nothing has been committed to the database. */
import type { Caller } from "../../access/caller.ts";
import { rightsOf } from "../../access/rights.ts";
import { Numbers } from "../../base/numbers.ts";
import { StateCache } from "../../database/state-cache.ts";
import type { State } from "../../database/states.ts";
import type { Format } from "../../query/index.ts";
import { KeptAnswer, type ReadAnswer, readAnswer } from "../frame/read-text.ts";

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

/** The cache of one server. */
export class KeptAnswers {
  readonly #cache: StateCache<KeptAnswer>;
  readonly #numbers = new Numbers();

  constructor(state: () => Promise<State | undefined>, size: number) {
    this.#cache = new StateCache({ state, size, weigh: (answer) => answer.size });
  }

  get hits(): number {
    return this.#cache.hits;
  }

  /** The cached answer, or the result of `read`. */
  async of(caller: Caller, asked: Asked, read: (state?: State) => Promise<string>): Promise<ReadAnswer> {
    const key = this.#key(caller, asked);
    if (key === undefined) return readAnswer(await read());
    const grown = (): void => this.#cache.weighAgain(key);
    return this.#cache.recall(key, async (state) => new KeptAnswer(await read(state), grown));
  }

  /**
   * The cache key; undefined if the caller shares its permissions with nobody, since the answer could not be reused.
   */
  #key(caller: Caller, { uid, read, documentId = "", query, format }: Asked): string | undefined {
    const rights = rightsOf(caller);
    const { kind, fields } = caller;
    if (rights === undefined || query.length + documentId.length > LONGEST) return undefined;
    const who = `${kind} ${this.#numbers.of(rights)} ${fields ? this.#numbers.of(fields) : 0}`;
    return `${who} ${uid} ${read} ${format} ${documentId.length} ${documentId}?${query}`;
  }
}
