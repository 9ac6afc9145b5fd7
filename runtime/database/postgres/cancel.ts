/**
 * Cancels statements whose client no longer waits for them.
 *
 * PostgreSQL cancels whatever a server process is running, not a particular statement. So the connection gets no new work
 * until the server has confirmed the cancellation, and transactions are never cancelled.
 */
import type { Backend, Connection } from "./connection.ts";
import type { Member } from "./members.ts";

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

const cancelOn = async (by: Connection, member: Member): Promise<void> => {
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

/**
 * Creates the function that cancels the running statements on the connections that it finds. If that fails, they run until
 * the statement timeout.
 *
 * @param open opens a connection outside of the pool, whose connections may all be busy
 */
export const createCanceller = (open: () => Promise<Connection>) => {
  let isBusy = false;
  let restsUntil = 0;
  return async (find: () => readonly Member[]): Promise<void> => {
    if (isBusy || performance.now() < restsUntil || find().length === 0) return;
    isBusy = true;
    try {
      const by = await open();
      const cancelled = await Promise.allSettled(find().map((member) => cancelOn(by, member)));
      await by.close();
      if (cancelled.some(({ status }) => status === "rejected")) restsUntil = performance.now() + REST;
    } catch {
      restsUntil = performance.now() + REST;
    } finally {
      isBusy = false;
    }
  };
};
