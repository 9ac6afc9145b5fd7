/**
 * Tracks which transaction of application code the running code is in. A statement sent through the database instead of
 * the transaction would wait forever for the transaction's end if there is one connection, and would run outside of the
 * transaction if there are several. So it is refused.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** A transaction that application code runs in. */
export interface Scope {
  isOver: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();
/**
 * Number of running transactions. AsyncLocalStorage makes every promise slightly slower, so it is used only while there
 * are some.
 */
let running = 0;

/** Runs `work` in `scope`: only sessions of that scope accept statements from it, and none do once it has ended. */
export const runInScope = async <Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> => {
  running += 1;
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.isOver = true;
    running -= 1;
    if (running === 0) scopes.disable();
  }
};

/** Runs `work` outside of any transaction. */
export const runOutside = <Result>(work: () => Result): Result => (running === 0 ? work() : scopes.exit(work));

/**
 * Called before each statement, by the database (without `own`) or by a session of the transaction `own`.
 *
 * @throws Error if the running code is in another transaction
 */
export const demandScope = (own?: Scope): void => {
  if (running === 0) return;
  const current = scopes.getStore();
  if (current === undefined || current.isOver || current === own) return;
  throw new Error(
    "This goes past the transaction that it runs in: use the `documents`, `db` and `services` passed to the transaction.",
  );
};
