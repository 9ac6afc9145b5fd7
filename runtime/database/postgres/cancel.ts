/**
 * Cancels statements whose client no longer waits for them.
 *
 * PostgreSQL cancels whatever a server process is running, not a particular statement. So the connection gets no new work
 * until the server has confirmed the cancellation, and transactions are never cancelled.
 */
import type { Backend, Connection } from "./connection.ts";

/** A connection whose running statement nobody waits for. */
export interface Cancellable {
  readonly connection: Connection;
  /** Whether its statement is still to be cancelled. */
  readonly isAbandoned: boolean;
  /** A cancellation is on its way, so the connection is given no work. */
  isCancelling: boolean;
  /** The connection closes as soon as it is free, and is given no work. */
  isRetired: boolean;
}

export interface Canceller {
  /**
   * Cancels the running statements on the connections that `find` returns. If that fails, they run until the statement
   * timeout.
   */
  cancel(find: () => readonly Cancellable[]): Promise<void>;
}

/** Milliseconds in which the server must confirm a cancellation. */
const PATIENCE = 2000;

/** Milliseconds until the next attempt after a failure; meanwhile statements end by the statement timeout. */
const REST = 10_000;

const CANCEL = "select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and backend_start::text = $2";

const cancelStatement = async (by: Connection, { pid, startedAt }: Backend): Promise<void> => {
  const timeout = setTimeout(() => by.drop("The database does not answer"), PATIENCE);
  try {
    await by.rows(CANCEL, [pid, startedAt], false);
  } finally {
    clearTimeout(timeout);
  }
};

const cancelOn = async (by: Connection, member: Cancellable): Promise<void> => {
  const { backend } = member.connection;
  if (!backend || !member.isAbandoned) return;
  member.isCancelling = true;
  try {
    await cancelStatement(by, backend);
  } catch (error) {
    // An unconfirmed cancellation may still arrive later, so the connection must not be used again.
    if (by.isLost) member.isRetired = true;
    throw error;
  } finally {
    member.isCancelling = false;
  }
};

/** @param open opens a connection outside of the pool, whose connections may all be busy */
export const createCanceller = (open: () => Promise<Connection>): Canceller => {
  let isBusy = false;
  let restsUntil = 0;
  const rest = (): void => {
    restsUntil = performance.now() + REST;
  };
  return {
    async cancel(find) {
      if (isBusy || performance.now() < restsUntil || find().length === 0) return;
      isBusy = true;
      try {
        const by = await open();
        const cancelled = await Promise.allSettled(find().map((member) => cancelOn(by, member)));
        if (cancelled.some(({ status }) => status === "rejected")) rest();
        await by.close();
      } catch {
        rest();
      } finally {
        isBusy = false;
      }
    },
  };
};
