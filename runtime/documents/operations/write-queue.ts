/**
 * Queues writers of the same document before they take a connection. So only a few of them wait in the database, and
 * the other connections are free for writers of other documents.
 *
 * A writer that needs several documents waits until all of them are free, and holds no database locks meanwhile; so
 * there are no deadlocks.
 */
import { ServiceUnavailableError } from "../../base/errors.ts";
import type { Config } from "../../config/config.ts";
import type { WriteQueue } from "../context.ts";

interface Writer {
  readonly documentIds: ReadonlySet<string>;
  start(): void;
}

/**
 * Maximum number of concurrent writers per document. When the first one commits, the second has its statements already
 * waiting in the database; more than two would gain nothing.
 */
const AT_ONCE = 2;
/** With fewer connections, only one writer per document is admitted, since two would leave too few for others. */
const ENOUGH = 4;

class Queue implements WriteQueue {
  readonly #atOnce: number;
  readonly #milliseconds: number;
  /** The number of writers at work on each document. */
  readonly #busy = new Map<string, number>();
  /** In order of arrival. */
  readonly #waiting = new Set<Writer>();

  constructor(atOnce: number, seconds: number) {
    this.#atOnce = atOnce;
    this.#milliseconds = seconds * 1000;
  }

  async run<Result>(documentIds: Iterable<string>, work: () => Promise<Result>): Promise<Result> {
    const own = new Set(documentIds);
    await this.#enter(own);
    try {
      return await work();
    } finally {
      this.#count(own, -1);
      this.#admit();
    }
  }

  #enter(documentIds: ReadonlySet<string>): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.delete(writer);
        this.#admit();
        reject(new ServiceUnavailableError("Others hold what this needs; try again"));
      };
      const timer = setTimeout(giveUp, this.#milliseconds);
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const writer: Writer = { documentIds, start };
      this.#waiting.add(writer);
      this.#admit();
    });
  }

  /** Starts the writers whose documents are free and not wanted by an earlier writer. */
  #admit(): void {
    const wanted = new Set<string>();
    for (const writer of this.#waiting) {
      const { documentIds } = writer;
      if ([...documentIds].every((id) => !wanted.has(id) && (this.#busy.get(id) ?? 0) < this.#atOnce)) {
        this.#waiting.delete(writer);
        this.#count(documentIds, 1);
        writer.start();
      } else for (const documentId of documentIds) wanted.add(documentId);
    }
  }

  #count(documentIds: Iterable<string>, by: 1 | -1): void {
    for (const documentId of documentIds) {
      const count = (this.#busy.get(documentId) ?? 0) + by;
      if (count === 0) this.#busy.delete(documentId);
      else this.#busy.set(documentId, count);
    }
  }
}

/** Creates empty queues. */
export const createWriteQueue = ({ pool, lockSeconds }: Pick<Config["database"], "pool" | "lockSeconds">): WriteQueue =>
  new Queue(pool < ENOUGH ? 1 : AT_ONCE, lockSeconds);
