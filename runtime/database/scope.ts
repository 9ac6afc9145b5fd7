/**
 * Which transaction of the application's code the running code is in. A statement that goes past it, through the
 * database itself, would wait for its end where there is one connection, and take another where there are several.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** One transaction that code of the application runs in. */
export interface Scope {
  isOver: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();
/** Following what runs where costs every promise a little: it is done while there is a transaction, and not otherwise. */
let running = 0;

/** Runs `work` so that only sessions of `scope` take statements in it, and none of them afterwards. */
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

/** Runs `work` as if no transaction were around it. */
export const runOutside = <Result>(work: () => Result): Result => (running === 0 ? work() : scopes.exit(work));

/**
 * Called where statements are taken: by a database, or by what stands for it in the transaction `own`.
 *
 * @throws Error in the midst of another transaction
 */
export const demandScope = (own?: Scope): void => {
  if (running === 0) return;
  const current = scopes.getStore();
  if (current === undefined || current.isOver || current === own) return;
  throw new Error(
    "This goes past the transaction that it runs in: use the `documents`, `database` and `services` that the transaction is given.",
  );
};
