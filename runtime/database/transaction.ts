import type { Statements, Transaction } from "./database.ts";

/** The session of a transaction on the connection that takes `statements`; `onLast` is called behind the last of them. */
export const openTransaction = (statements: Statements, onLast: () => void = () => {}): Transaction => {
  let isOver = false;
  const unlessOver = <Result>(send: () => Promise<Result>): Promise<Result> =>
    isOver ? Promise.reject(new Error("A statement came after the last one of its transaction")) : send();
  const inside: Transaction = {
    rows: (sql, parameters) => unlessOver(() => statements.rows(sql, parameters)),
    script: (sql) => unlessOver(() => statements.script(sql)),
    transaction: (work) => work({ ...inside, last: (send) => send() }),
    last(send) {
      const answer = send();
      isOver = true;
      onLast();
      return answer;
    },
  };
  return inside;
};
