/** Answers to reads that are given again as long as nothing is committed. */
import type { Caller } from "../../access/caller.ts";
import { rightsOf } from "../../access/rights.ts";
import { Numbers } from "../../base/numbers.ts";
import { StateCache } from "../../database/state-cache.ts";
import type { State } from "../../database/states.ts";
import type { Format } from "../../query/index.ts";
import { KeptAnswer, type ReadAnswer, readAnswer } from "../frame/read-text.ts";

/** Keys are as long as clients make them. */
const LONGEST = 2000;

/** What one read is told apart by, besides who asks. */
export interface Asked {
  readonly uid: string;
  /** Which read of the type it is. */
  readonly read: "find" | "findOne" | "findSingle";
  readonly documentId?: string;
  /** What stands behind the `?`. */
  readonly query: string;
  /** Which format it is answered in, and with that what its query means. */
  readonly format: Format;
}

/** The answers of one server. */
export class KeptAnswers {
  readonly #cache: StateCache<KeptAnswer>;
  readonly #numbers = new Numbers();

  constructor(state: () => Promise<State | undefined>, size: number) {
    this.#cache = new StateCache({ state, size, weigh: (answer) => answer.size });
  }

  get hits(): number {
    return this.#cache.hits;
  }

  /** The answer that is kept, or that of `read`. */
  async of(caller: Caller, asked: Asked, read: (state?: State) => Promise<string>): Promise<ReadAnswer> {
    const key = this.#key(caller, asked);
    if (key === undefined) return readAnswer(await read());
    const grown = (): void => this.#cache.weighAgain(key);
    return this.#cache.recall(key, async (state) => new KeptAnswer(await read(state), grown));
  }

  /** Undefined for callers whose permissions are nobody else's. */
  #key(caller: Caller, { uid, read, documentId = "", query, format }: Asked): string | undefined {
    const rights = rightsOf(caller);
    const { kind, fields } = caller;
    if (rights === undefined || query.length + documentId.length > LONGEST) return undefined;
    const who = `${kind} ${this.#numbers.of(rights)} ${fields ? this.#numbers.of(fields) : 0}`;
    return `${who} ${uid} ${read} ${format} ${documentId.length} ${documentId}?${query}`;
  }
}
