/** Copies of the database that reads are spread over. */
import { AbandonedError, ServiceUnavailableError } from "../base/errors.ts";
import { messageOf } from "../base/thrown.ts";
import type { Database, Reader } from "./database.ts";
import { canRunAgain, isEnded, mayBeOutdated } from "./fault.ts";
import type { PostgresLimits } from "./postgres-session.ts";
import { openPostgres } from "./postgres.ts";

/** A replica that did not answer is left alone for this long, in milliseconds. */
const REST = 5000;

/** A statement that took too long would do so on the primary too, and one that nobody waits for is not run there. */
const isAway = (error: unknown): boolean =>
  error instanceof ServiceUnavailableError && !(error instanceof AbandonedError) && !isEnded(error);

/** Connected to when it is first asked, so that a replica that is away does not keep a server from starting. */
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

  /** The database itself; undefined when it cannot answer. When it is away or behind a migration, it rests. */
  async ask<Result>(question: (database: Database) => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await question(await this.#open());
      this.#restsUntil = 0;
      return result;
    } catch (error) {
      // What stood in the way of the primary's changes, that one can answer at once.
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

  /** Without the password that the address carries. */
  get #name(): string {
    const { host, pathname } = new URL(this.#url);
    return `The replica ${host}${pathname}`;
  }

  async #open(): Promise<Database> {
    try {
      return await (this.#opened ??= openPostgres(this.#url, this.#pool, this.#limits));
    } catch (error) {
      this.#opened = undefined;
      throw Object.assign(new ServiceUnavailableError(), { cause: error });
    }
  }
}

/** Asks one replica, and `primary` while that one rests. */
const readerOf = (primary: Reader, replica: Replica): Reader => ({
  async rows(sql, parameters, asker) {
    const rows = replica.rests ? undefined : await replica.ask((database) => database.rows(sql, parameters, asker));
    return rows ?? primary.rows(sql, parameters, asker);
  },
});

/**
 * A database with replicas beside it: everything but its `reader` goes to `primary`. Each time that the
 * `reader` is asked for it is that of the next replica, so that the statements of one request see one state.
 *
 * @param urls addresses of the replicas
 * @param pool most connections to each of them
 * @param limits how long their statements may take
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
  // What a replica answers may be of any earlier state.
  const { state: _state, ...others } = primary;
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
