/** A line for each request, with what it took: on a terminal only. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database, Reader, Session, Transaction } from "../../../runtime/database/database.ts";
import type { Handler } from "../../../runtime/http/listen.ts";
import { out } from "../terminal.ts";
import { printable } from "./readable-log.ts";

export interface WatchedRequests {
  /** The same database, whose statements count. */
  readonly database: Database;
  /** Passes requests on, and prints a line when each is answered. */
  wrap(fetch: Handler["fetch"]): Handler["fetch"];
}

const paintOf = (status: number): ((text: string) => string) => {
  if (status >= 500) return out.red;
  return status >= 400 ? out.yellow : out.green;
};

/** The same database, which tells of each statement that it is given. */
const countedDatabase = (database: Database, one: () => void): Database => {
  const reading = (reader: Reader): Reader => ({
    rows(sql, parameters) {
      one();
      return reader.rows(sql, parameters);
    },
  });
  const over = (session: Session): Session => ({
    ...reading(session),
    script(sql) {
      one();
      return session.script(sql);
    },
    transaction: (work) => session.transaction((inside) => work(within(inside))),
  });
  const within = (transaction: Transaction): Transaction => ({
    ...over(transaction),
    last: (send) => transaction.last(send),
  });
  const counted: Database = {
    ...over(database),
    kind: database.kind,
    exclusively: (work) => database.exclusively((session) => work(over(session))),
    listen: (channel, receive) => database.listen(channel, receive),
    close: () => database.close(),
  };
  if (!database.reader) return counted;
  return {
    ...counted,
    // Which replica reads is decided anew each time.
    get reader() {
      return reading(database.reader ?? database);
    },
  };
};

const lineFor = ({ method, url }: Request, status: number, milliseconds: number, statements: number): string => {
  const took = `${Math.round(milliseconds)} ms, ${statements} ${statements === 1 ? "statement" : "statements"}`;
  return `${method.padEnd(6)} ${printable(new URL(url).pathname)} ${paintOf(status)(String(status))} ${out.dim(took)}\n`;
};

export const watchRequests = (database: Database, print: (line: string) => void): WatchedRequests => {
  const counts = new AsyncLocalStorage<{ statements: number }>();
  return {
    database: countedDatabase(database, () => {
      const count = counts.getStore();
      if (count) count.statements += 1;
    }),
    wrap: (fetch) => async (request, env, context) => {
      const count = { statements: 0 };
      const started = performance.now();
      const response = await counts.run(count, () => fetch(request, env, context));
      print(lineFor(request, response.status, performance.now() - started, count.statements));
      return response;
    },
  };
};
