/** Spreads reads over replicas of the database. */
import { AbandonedError, ServiceUnavailableError } from "../../base/errors.ts";
import { messageOf } from "../../base/thrown.ts";
import type { Database, Reader } from "../database.ts";
import { canRunAgain, isEnded, mayBeOutdated } from "../fault.ts";
import { openPostgres } from "./postgres.ts";
import type { PostgresLimits } from "./session.ts";

/** Milliseconds for which a failed replica is skipped. */
const REST = 5000;

/**
 * Whether the replica is unreachable. A statement that timed out would do so on the primary too, and one without a
 * waiting client is not repeated there.
 */
const isAway = (error: unknown): boolean =>
  error instanceof ServiceUnavailableError && !(error instanceof AbandonedError) && !isEnded(error);

/** Warns that a replica's reads go to the primary from now on; without the password in its address. */
const warn = (url: string, what: string, error: unknown): void => {
  const { host, pathname } = new URL(url);
  const cause = error instanceof ServiceUnavailableError ? (error.cause ?? error) : error;
  process.emitWarning(`The replica ${host}${pathname} ${what}: the primary reads instead`, {
    detail: messageOf(cause),
  });
};

/**
 * A replica, whose reads go to `primary` while it is unreachable or lacks a migration. Connects on first use, so that
 * an unreachable replica does not keep the server from starting.
 */
const createReplica = (primary: Reader, url: string, open: () => Promise<Database>) => {
  let opened: Promise<Database> | undefined;
  let restsUntil = 0;
  const database = async (): Promise<Database> => {
    try {
      return await (opened ??= open());
    } catch (error) {
      opened = undefined;
      throw error instanceof ServiceUnavailableError
        ? error
        : Object.assign(new ServiceUnavailableError(), { cause: error });
    }
  };
  /** Whether to repeat a failed read on the primary; skips the replica for a while if others would fail, too. */
  const passesOn = (error: unknown): boolean => {
    // The read conflicted with changes that the replica applies. The primary can answer at once.
    if (canRunAgain(error)) return true;
    const isBehind = mayBeOutdated(error);
    if (!isBehind && !isAway(error)) return false;
    if (restsUntil === 0) warn(url, isBehind ? "lacks what a migration has changed" : "does not answer", error);
    restsUntil = Date.now() + REST;
    return true;
  };
  const rows: Reader["rows"] = async (...statement) => {
    if (restsUntil > Date.now()) return primary.rows(...statement);
    try {
      const answer = await (await database()).rows(...statement);
      restsUntil = 0;
      return answer;
    } catch (error) {
      if (!passesOn(error)) throw error;
      return primary.rows(...statement);
    }
  };
  const close = async (): Promise<void> => (await opened?.catch(() => undefined))?.close();
  return { rows, close };
};

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
  const replicas = urls.map((url) => createReplica(primary, url, () => openPostgres(url, pool, limits)));
  let turn = 0;
  // The snapshot of a replica says nothing about the primary's, so replicas' answers cannot be cached by snapshot.
  const { snapshot: _snapshot, ...others } = primary;
  return {
    ...others,
    get reader() {
      turn = (turn + 1) % replicas.length;
      return replicas[turn] ?? primary;
    },
    async close() {
      await Promise.all([primary, ...replicas].map((one) => one.close()));
    },
  };
};
