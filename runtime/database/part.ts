/**
 * A database interface over one transaction: transactions that are begun through it become savepoints of that
 * transaction.
 */
import type { Database, Session, Transaction } from "./database.ts";
import { createMutex } from "./mutex.ts";
import { demandScope, runInScope, type Scope } from "./scope.ts";

/** Runs `work` in a savepoint: if it fails, only its own changes are undone. */
const runPart = async <Result>(
  session: Transaction,
  work: (session: Transaction) => Promise<Result>,
): Promise<Result> => {
  await session.rows("savepoint part");
  try {
    const result = await session.transaction(work);
    await session.rows("release savepoint part");
    return result;
  } catch (error) {
    // If even this fails, the whole transaction is lost; the original error tells why.
    await session.rows("rollback to savepoint part").catch(() => {});
    await session.rows("release savepoint part").catch(() => {});
    throw error;
  }
};

const notHere = (what: string) => async (): Promise<never> => {
  throw new Error(`${what} is not possible in a transaction`);
};

/** Milliseconds that a transaction may stay idle. A little later PostgreSQL would end it itself. */
const PATIENCE = 50_000;

/** Rejects when the transaction has been idle for too long. */
const createPatience = () => {
  let timer: NodeJS.Timeout | undefined;
  let running = 0;
  let giveUp: (() => void) | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    const message = "The transaction was given up: its code has asked nothing of the database for 50 seconds.";
    giveUp = () => reject(new Error(message));
  });
  over.catch(() => {});
  const rest = (): void => {
    timer = setTimeout(() => giveUp?.(), PATIENCE).unref();
  };
  rest();
  return {
    /** Rejects when the transaction has been idle for too long. */
    over,
    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      running += 1;
      clearTimeout(timer);
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) rest();
      }
    },
    end: (): void => clearTimeout(timer),
  };
};

/** A transaction, as the code in `scope` sees it. Its nested transactions and statements run one after the other. */
export const createPart = (kind: Database["kind"], session: Transaction, scope: Scope) => {
  const queue = createMutex();
  const patience = createPatience();
  const unlessOver = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (scope.isOver) throw new Error("The transaction is over: use what it passed to its code only inside it.");
    return work();
  };
  const take = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    demandScope(scope);
    return unlessOver(() => patience.during(() => queue.run(() => unlessOver(work))));
  };
  const own: Session = {
    rows: (sql, parameters) => take(() => session.rows(sql, parameters)),
    script: (sql) => take(() => session.script(sql)),
    transaction: (work) => take(() => runPart(session, work)),
  };
  const database: Database = {
    ...own,
    kind,
    exclusively: notHere("A connection of one's own"),
    listen: notHere("Listening"),
    close: notHere("Closing the database"),
  };
  return {
    database,
    /**
     * Runs the code. Waits for everything that the code has started without awaiting it before the transaction ends. When
     * the code fails, no further statements start.
     */
    run: <Result>(work: () => Promise<Result>): Promise<Result> =>
      runInScope(scope, async () => {
        try {
          const result = await Promise.race([work(), patience.over]);
          await queue.settled();
          return result;
        } finally {
          scope.isOver = true;
          await queue.settled();
          patience.end();
        }
      }),
  };
};
