/** Observes the statements that a server runs, wherever its database is. */
import type { Beginning, Client, Database, Reader, Session, Transaction } from "../database/database.ts";

/** A finished statement. */
export interface EndedStatement {
  /** Its text, with placeholders such as `$1` for values. */
  readonly sql: string;
  /** The time from the call to the rows, including the wait for a connection. */
  readonly milliseconds: number;
  /** The client for which it ran. */
  readonly client: Client | undefined;
  /** Why it failed. */
  readonly error?: unknown;
}

export type ObserveStatement = (statement: EndedStatement) => void;

const observedRows =
  (reader: Reader, observe: ObserveStatement, own?: Client): Session["rows"] =>
  (sql, parameters, client) => {
    const start = performance.now();
    const end = (error?: unknown): void =>
      observe({ sql, milliseconds: performance.now() - start, client: client ?? own, error });
    const rows = reader.rows(sql, parameters, client);
    rows.then(() => end(), end);
    return rows;
  };

const observedSession = (session: Session, observe: ObserveStatement, client?: Client): Session => ({
  rows: observedRows(session, observe, client),
  script: (sql) => session.script(sql),
  transaction<Result>(work: (inside: Transaction) => Promise<Result>, beginning?: Beginning) {
    const own = beginning?.client ?? client;
    return session.transaction((inside) => work(observedTransaction(inside, observe, own)), beginning);
  },
});

const observedTransaction = (inside: Transaction, observe: ObserveStatement, client?: Client): Transaction => ({
  ...observedSession(inside, observe, client),
  last: (send) => inside.last(send),
});

/** The same database, which reports finished statements to `observe`. */
export const observedDatabase = (database: Database, observe: ObserveStatement): Database => ({
  ...database,
  ...observedSession(database, observe),
  get reader(): Reader {
    return { rows: observedRows(database.reader ?? database, observe) };
  },
  exclusively: (work) => database.exclusively((session) => work(observedSession(session, observe))),
});
