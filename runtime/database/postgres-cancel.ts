/**
 * Ends statements that nobody waits for any more.
 *
 * PostgreSQL is told which of its processes is to end what it does, and not which statement: one that is over by then is
 * followed by the next of its connection, which is hit in its place. So a connection is given nothing new until the server
 * says that it has passed the order on, and none in whose line a transaction or script stands is touched. What was in line
 * behind the statement and is hit has done nothing, and runs again.
 */
import type { Connection } from "./postgres-connection.ts";

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

/** Milliseconds in which the server has to take an order. */
const PATIENCE = 2000;

const ORDER = "select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and backend_start::text = $2";

/** Whether the server was asked; it may know no such order. */
const order = async (by: Connection, member: Cancellable): Promise<boolean> => {
  const { backend } = member.connection;
  if (backend === undefined) return true;
  member.connection.expectEnd();
  member.isCancelling = true;
  try {
    await by.rows(ORDER, [backend.pid, backend.startedAt], false);
    return true;
  } catch {
    // An order that has not been answered may come at any time.
    if (by.isLost) member.isRetired = true;
    return by.isLost;
  } finally {
    member.isCancelling = false;
  }
};

/** `open` opens a connection beside those of the pool, which may all be busy. */
export const createCanceller = (open: () => Promise<Connection>): Canceller => {
  let isBusy = false;
  let isPossible = true;
  return {
    async end(find) {
      if (isBusy || !isPossible || find().length === 0) return;
      isBusy = true;
      try {
        const by = await open();
        const timeout = setTimeout(() => by.drop("The database does not answer"), PATIENCE);
        const done = await Promise.all(find().map((member) => order(by, member)));
        isPossible = done.every(Boolean);
        clearTimeout(timeout);
        await by.close();
      } catch {
        // No connection to be had: the time limit of statements ends them.
      } finally {
        isBusy = false;
      }
    },
  };
};
