/**
 * Ends statements that nobody waits for any more.
 *
 * PostgreSQL is told which of its processes is to end what it does, and not which statement: one that is over by then is
 * followed by the next of its connection, which is hit in its place. So a connection is given nothing new until the server
 * says that it has passed the order on, and none in whose line a transaction or script stands is touched. What was in line
 * behind the statement and is hit has done nothing, and runs again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Backend, Connection } from "./postgres-connection.ts";

export interface Cancellable {
  readonly connection: Connection;
  /** It is given to nobody: what runs on it is about to be ended. */
  isCancelling: boolean;
  /** It ends as soon as it is free, and is given to nobody. */
  isRetired: boolean;
}

export interface Canceller {
  /** Ends what runs on the connections that `find` gives when it is asked. What cannot be ended goes on until its time is over. */
  end(find: () => readonly Cancellable[]): Promise<void>;
}

/** Milliseconds in which the server has to take an order, and to end what it is about. */
const PATIENCE = 2000;

/** Milliseconds until it is tried again where it failed; meanwhile the time limit of statements ends them. */
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

/** Ends what nobody waits for at the head of a line, one statement after the other. */
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
    // An order that has not been answered may come at any time.
    if (by.isLost) member.isRetired = true;
    throw error;
  } finally {
    member.isCancelling = false;
  }
};

/** `open` opens a connection beside those of the pool, which may all be busy. */
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
