/** A transaction that stands for the whole database: what would be transactions of their own are parts of it. */
import type { Database, Session, Transaction } from "./database.ts";
import { createMutex } from "./mutex.ts";
import { demandScope, type Scope } from "./scope.ts";

/** Runs `work` so that its failure undoes what it did, and nothing else of the transaction. */
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
    // Where even this fails the transaction is lost, for the reason that is thrown.
    await session.rows("rollback to savepoint part").catch(() => {});
    await session.rows("release savepoint part").catch(() => {});
    throw error;
  }
};

const notHere = (what: string) => async (): Promise<never> => {
  throw new Error(`${what} is not possible in a transaction`);
};

/** The database as the code in a transaction of `scope` has it. Parts, and statements, run one after the other. */
export const partialDatabase = (kind: Database["kind"], session: Transaction, scope: Scope): Database => {
  const queue = createMutex();
  const take = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    demandScope(scope);
    if (scope.isOver) throw new Error("The transaction is over: what was given to its code can be used in it only.");
    return queue.run(work);
  };
  const own: Session = {
    rows: (sql, parameters) => take(() => session.rows(sql, parameters)),
    script: (sql) => take(() => session.script(sql)),
    transaction: (work) => take(() => runPart(session, work)),
  };
  return {
    ...own,
    kind,
    exclusively: notHere("A connection of one's own"),
    listen: notHere("Listening"),
    close: notHere("Closing the database"),
  };
};
