import type { Statements, Transaction } from "./database.ts";

export interface OpenTransaction {
  readonly session: Transaction;
  /** What the first statement that failed has failed with. */
  readonly failure: unknown;
  /** The connection is about to be somebody else's: whatever comes now is refused. */
  close(): void;
}

/** The session of a transaction on the connection that takes `statements`; `onLast` is called behind the last of them. */
export const openTransaction = (statements: Statements, onLast: () => void = () => {}): OpenTransaction => {
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
    get failure() {
      return failure;
    },
    close: () => void (isOver = true),
  };
};

/** PostgreSQL commits nothing of a transaction in which a statement has failed, whoever has overlooked it. */
export const demandCommit = (command: string, failure: unknown): void => {
  if (command !== "COMMIT") throw failure ?? new Error(`A transaction ended with ${command} instead of COMMIT`);
};
