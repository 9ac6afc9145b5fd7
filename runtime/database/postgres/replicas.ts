/** Spreads reads over replicas of the database. */
import { AbandonedError, ServiceUnavailableError } from "../../base/errors.ts";
import { messageOf } from "../../base/thrown.ts";
import type { Database, Reader } from "../database.ts";
import { canRunAgain, isEnded, mayBeOutdated } from "../fault.ts";
import { openPostgres } from "./postgres.ts";
import type { PostgresLimits } from "./session.ts";

/** Milliseconds for which a replica is not asked after it failed to answer. */
const REST = 5000;

/**
 * Whether the replica is unreachable. A statement that timed out would do so on the primary too, and one without a
 * waiting client is not repeated there.
 */
const isAway = (error: unknown): boolean =>
  error instanceof ServiceUnavailableError && !(error instanceof AbandonedError) && !isEnded(error);

/**
 * A replica. It is connected to at its first use, so that an unreachable replica does not keep the server from
 * starting.
 */
class Replica {
  readonly #url: string;
  readonly #pool: number;
  readonly #limits: Partial<PostgresLimits>;
  #opened: Promise<Database> | undefined;
  #restsUntil = 0;

  constructor(url: string, pool: number, limits: Partial<PostgresLimits>) {
    this.#url = url;
    this.#pool = pool;
    this.#limits = limits;
  }

  get rests(): boolean {
    return this.#restsUntil > Date.now();
  }

  /**
   * Asks the replica; undefined if it cannot answer. If it is unreachable or lacks a migration, it is not asked for a
   * while.
   */
  async ask<Result>(question: (database: Database) => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await question(await this.#open());
      this.#restsUntil = 0;
      return result;
    } catch (error) {
      // The read conflicted with changes that the replica applies. The primary can answer at once.
      if (canRunAgain(error)) return undefined;
      const isBehind = mayBeOutdated(error);
      if (!isBehind && !isAway(error)) throw error;
      if (this.#restsUntil === 0)
        this.#warn(isBehind ? "lacks what a migration has changed" : "does not answer", error);
      this.#restsUntil = Date.now() + REST;
      return undefined;
    }
  }

  async close(): Promise<void> {
    const database = await this.#opened?.catch(() => undefined);
    await database?.close();
  }

  #warn(what: string, error: unknown): void {
    const cause = error instanceof ServiceUnavailableError ? error.cause : error;
    const detail = messageOf(cause);
    process.emitWarning(`${this.#name} ${what}: the primary reads instead`, { detail });
  }

  /** The replica's address without its password. */
  get #name(): string {
    const { host, pathname } = new URL(this.#url);
    return `The replica ${host}${pathname}`;
  }

  async #open(): Promise<Database> {
    try {
      return await (this.#opened ??= openPostgres(this.#url, this.#pool, this.#limits));
    } catch (error) {
      this.#opened = undefined;
      throw error instanceof ServiceUnavailableError
        ? error
        : Object.assign(new ServiceUnavailableError(), { cause: error });
    }
  }
}

/** Reads from one replica, or from `primary` while the replica is paused. */
const readerOf = (primary: Reader, replica: Replica): Reader => ({
  async rows(sql, parameters, client) {
    const rows = replica.rests ? undefined : await replica.ask((database) => database.rows(sql, parameters, client));
    return rows ?? primary.rows(sql, parameters, client);
  },
});

/**
 * Adds replicas to a database: everything but `reader` uses `primary`. Each access to `reader` returns the next
 * replica, so that all statements of one request can read from the same one.
 *
 * @param urls addresses of the replicas
 * @param pool most connections to each of them
 * @param limits time limits for their statements
 */
export const withReplicas = (
  primary: Database,
  urls: readonly string[],
  pool: number,
  limits: Partial<PostgresLimits> = {},
): Database => {
  const replicas = urls.map((url) => new Replica(url, pool, limits));
  const readers = replicas.map((replica) => readerOf(primary, replica));
  let turn = 0;
  // The snapshot of a replica says nothing about the primary's, so replicas' answers cannot be cached by snapshot.
  const { snapshot: _snapshot, ...others } = primary;
  return {
    ...others,
    get reader() {
      turn = (turn + 1) % readers.length;
      return readers[turn] ?? primary;
    },
    async close() {
      await Promise.all([primary, ...replicas].map((one) => one.close()));
    },
  };
};
