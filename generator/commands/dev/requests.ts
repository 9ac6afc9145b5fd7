/** A line for each request, with what it took: on a terminal only. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database, Reader, Session, Transaction } from "../../../runtime/database/database.ts";
import type { Handler } from "../../../runtime/http/listen.ts";
import { out } from "../terminal.ts";
import { printable } from "./readable-log.ts";

interface Count {
  statements: number;
}

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

export const watchRequests = (database: Database, print: (line: string) => void): WatchedRequests => {
  const counts = new AsyncLocalStorage<Count>();
  const one = (): void => {
    const count = counts.getStore();
    if (count) count.statements += 1;
  };

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

  return {
    // Which replica reads is decided anew each time.
    database: database.reader
      ? {
          ...counted,
          get reader() {
            return reading(database.reader ?? database);
          },
        }
      : counted,
    wrap: (fetch) => async (request, env, context) => {
      const count: Count = { statements: 0 };
      const started = performance.now();
      const response = await counts.run(count, () => fetch(request, env, context));
      const milliseconds = Math.round(performance.now() - started);
      const statements = `${count.statements} ${count.statements === 1 ? "statement" : "statements"}`;
      const { pathname } = new URL(request.url);
      const took = out.dim(`${milliseconds} ms, ${statements}`);
      const status = paintOf(response.status)(String(response.status));
      print(`${request.method.padEnd(6)} ${printable(pathname)} ${status} ${took}\n`);
      return response;
    },
  };
};
