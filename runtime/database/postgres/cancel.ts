/**
 * Cancels statements whose client no longer waits for them.
 *
 * PostgreSQL cancels whatever a server process is running, not a particular statement. If the statement has just ended,
 * the cancellation hits the next one on that connection. So the connection gets no new statements until the server has
 * confirmed the cancellation, and connections on which a transaction or script waits are never cancelled. Single
 * statements hit by mistake have had no effect, and run again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import type { Backend } from "./self.ts";

export interface Cancellable {
  readonly connection: Connection;
  /** A cancellation is on its way, so the connection is given no new statements. */
  isCancelling: boolean;
  /** The connection closes as soon as it is free, and is given no new statements. */
  isRetired: boolean;
}

export interface Canceller {
  /**
   * Cancels the running statements on the connections that `find` returns. If that fails, they run until the statement
   * timeout.
   */
  end(find: () => readonly Cancellable[]): Promise<void>;
}

/** Milliseconds in which the server must confirm a cancellation, and the statement must end. */
const PATIENCE = 2000;

/** Milliseconds until the next attempt after a failure; meanwhile statements end by the statement timeout. */
const REST = 10_000;

const ORDER = "select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and backend_start::text = $2";

const orderEnd = async (by: Connection, { pid, startedAt }: Backend): Promise<void> => {
  const timeout = setTimeout(() => by.drop("The database does not answer"), PATIENCE);
  try {
    await by.rows(ORDER, [pid, startedAt], false);
  } finally {
    clearTimeout(timeout);
  }
};

/** Cancels abandoned statements on a connection one after the other, until it reaches one whose client still waits. */
const clear = async (by: Connection, member: Cancellable): Promise<void> => {
  const { connection } = member;
  member.isCancelling = true;
  try {
    while (connection.backend && connection.isAbandoned) {
      const over = connection.expectEnd();
      await orderEnd(by, connection.backend);
      const isOver = await Promise.race([over.then(() => true), sleep(PATIENCE, false, { ref: false })]);
      if (!isOver) return;
    }
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
  return {
    async end(find) {
      if (isBusy || performance.now() < restsUntil || find().length === 0) return;
      isBusy = true;
      try {
        const by = await open();
        const cleared = await Promise.allSettled(find().map((member) => clear(by, member)));
        if (cleared.some(({ status }) => status === "rejected")) restsUntil = performance.now() + REST;
        await by.close();
      } catch {
        restsUntil = performance.now() + REST;
      } finally {
        isBusy = false;
      }
    },
  };
};
