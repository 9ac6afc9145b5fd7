/** What transactions of both drivers have in common. */
import type { Statements, Transaction } from "./database.ts";
import { canRunAgain, faultOf } from "./fault.ts";

/** SQLSTATE of a statement in a transaction in which another one failed before. */
const ABORTED = "25P02";

/** Marks the transaction that it stands in for {@link INSIDE}. */
export const MARK = "set local galley.transaction = 1";

/** Begins a transaction. */
export const BEGIN = `begin; ${MARK}`;

/**
 * The end of a condition `1`, which makes the statement fail outside of transactions. So a statement that ends with it may
 * follow a begin that has not been answered: if the begin fails, so does the statement.
 */
export const INSIDE = " = current_setting('galley.transaction')::int";

/**
 * The session of a transaction on the connection behind `statements`; `onLast` is called after the last statement is
 * sent.
 */
export const openTransaction = (statements: Statements, onLast: () => void = () => {}) => {
  let isOver = false;
  let failure: unknown;
  const unlessOver = async <Result>(send: () => Promise<Result>): Promise<Result> => {
    if (isOver) throw new Error("A statement came after the last one of its transaction");
    try {
      return await send();
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  const session: Transaction = {
    rows: (sql, parameters) => unlessOver(() => statements.rows(sql, parameters)),
    script: (sql) => unlessOver(() => statements.script(sql)),
    transaction: (work) => work({ ...session, last: (send) => send() }),
    last(send) {
      const answer = send();
      isOver = true;
      onLast();
      return answer;
    },
  };
  return {
    session,
    /** The error of the first statement that failed. */
    get failure(): unknown {
      return failure;
    },
    /** Refuses further statements, since the connection is about to be used by others. */
    close: (): void => void (isOver = true),
  };
};

/** Why a transaction failed: `error`, unless it only says that another statement had failed, which is `failure`. */
export const reasonOf = (error: unknown, failure: unknown): unknown =>
  faultOf(error)?.code === ABORTED ? (failure ?? error) : error;

/**
 * Throws if PostgreSQL rolled back instead of committing. It does so if a statement of the transaction has failed, even
 * if the code ignored that error.
 */
export const demandCommit = (command: string, failure: unknown): void => {
  if (command !== "COMMIT") throw failure ?? new Error(`A transaction ended with ${command} instead of COMMIT`);
};

/** How often a transaction is tried. */
const ATTEMPTS = 10;

/**
 * Runs `work` up to ten times while it fails with an error that `passes`: by default, conflicts after which PostgreSQL
 * has rolled everything back. Throws the last error.
 */
export const runAgain = async <Result>(
  work: () => Promise<Result>,
  passes: (error: unknown) => boolean = canRunAgain,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !passes(error)) throw error;
    }
  }
};
