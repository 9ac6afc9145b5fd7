/**
 * The embedded PostgreSQL server, PGlite.
 *
 * Uses the wire protocol with named prepared statements, as with a server: a statement is parsed only once, and running
 * it takes one call into the engine instead of five. There is only one connection, so statements are queued; a
 * transaction blocks the queue until it ends.
 */
import { setImmediate } from "node:timers/promises";
import { type PGlite, protocol } from "@electric-sql/pglite";
import { LRUCache } from "lru-cache";
import { AbandonedError } from "../../base/errors.ts";
import type { Database, Parameter, Row, Session, Statements, Transaction, Value } from "../database.ts";
import { translate } from "../fault.ts";
import { createMutex } from "../mutex.ts";
import { parameterText } from "../parameter.ts";
import { demandScope } from "../scope.ts";
import { BEGIN, demandCommit, openTransaction, reasonOf } from "../transaction.ts";
import type { Lock } from "./lock.ts";

const { serialize, messages: kinds } = protocol;

/** Most prepared statements that are kept. */
const STATEMENTS = 500;

/** OIDs of types that are decoded to numbers. int8 is not among them: JavaScript numbers cannot hold all its values. */
const NUMBERS = new Set([21, 23, 26, 700, 701]);
const BOOLEAN = 16;

type Decode = (text: string) => Value;
const asText: Decode = (text) => text;
const asBoolean: Decode = (text) => text === "t";
const decoderOf = (type: number): Decode => (NUMBERS.has(type) ? Number : type === BOOLEAN ? asBoolean : asText);

interface Prepared {
  readonly name: string;
  /** Undefined until the engine has described the statement's columns. */
  decoders: readonly Decode[] | undefined;
  columns: readonly { readonly name: string }[];
}

interface Connection extends Statements {
  /** Runs a statement without parameters, and returns PostgreSQL's command tag, such as `COMMIT` or `ROLLBACK`. */
  command(sql: string): Promise<string>;
}

type Messages = Awaited<ReturnType<PGlite["execProtocol"]>>["messages"];

/** The rows of a result, with what the driver for servers adds to them. */
const rowsIn = (messages: Messages, statement: Prepared): readonly Row[] => {
  const rows: Row[] = [];
  let count: number | undefined;
  for (const message of messages) {
    if (message instanceof kinds.RowDescriptionMessage) {
      statement.columns = message.fields;
      statement.decoders = message.fields.map(({ dataTypeID }) => decoderOf(dataTypeID));
    } else if (message instanceof kinds.DataRowMessage) {
      const decoders = statement.decoders ?? [];
      rows.push(message.fields.map((text, index) => (text === null ? null : (decoders[index] ?? asText)(text))));
    } else if (message instanceof kinds.CommandCompleteMessage) count = Number(/\d+$/.exec(message.text)?.[0] ?? 0);
  }
  return Object.defineProperties(rows, { columns: { value: statement.columns }, count: { value: count } });
};

/** The command tag of a result, such as `COMMIT` or `ROLLBACK`. */
const commandIn = (messages: Messages): string =>
  messages.flatMap((message) => (message instanceof kinds.CommandCompleteMessage ? message.text : [])).join();

/** The statements that the engine keeps prepared. */
const createPrepared = () => {
  let counter = 0;
  let dropped: string[] = [];
  const prepared = new LRUCache<string, Prepared>({
    max: STATEMENTS,
    dispose: ({ name }) => void dropped.push(name),
  });
  return {
    /** Adds to `parts` what must precede the binding of a new statement: its text, and the closing of evicted ones. */
    take(sql: string, parts: Uint8Array[]): Prepared {
      const known = prepared.get(sql);
      if (known) return known;
      const statement: Prepared = { name: `s${++counter}`, decoders: undefined, columns: [] };
      prepared.set(sql, statement);
      for (const name of dropped) parts.push(serialize.close({ type: "S", name }));
      dropped = [];
      parts.push(
        serialize.parse({ name: statement.name, text: sql }),
        serialize.describe({ type: "S", name: statement.name }),
      );
      return statement;
    },
    drop: (sql: string): void => void prepared.delete(sql),
    clear: (): void => prepared.clear(),
  };
};

/** Milliseconds that statements may run back to back before the rest of the server gets its turn. */
const LONGEST_RUN = 20;

/**
 * The engine runs in the server's thread. Under load, statements of many requests would run back to back without end,
 * and even health checks would go unanswered.
 */
const createPause = () => {
  let since = performance.now();
  return async (): Promise<void> => {
    if (performance.now() - since < LONGEST_RUN) return;
    await setImmediate();
    since = performance.now();
  };
};

/** Runs statements directly on the one connection; callers have to queue. */
const createConnection = (engine: PGlite): Connection => {
  const prepared = createPrepared();
  const pause = createPause();

  const rows = async (sql: string, parameters: readonly Parameter[] = []): Promise<readonly Row[]> => {
    await pause();
    const parts: Uint8Array[] = [];
    const statement = prepared.take(sql, parts);
    parts.push(
      serialize.bind({ statement: statement.name, values: parameters.map(parameterText) }),
      serialize.execute({}),
      serialize.sync(),
    );
    try {
      const { messages } = await engine.execProtocol(Buffer.concat(parts));
      return rowsIn(messages, statement);
    } catch (error) {
      // The statement failed to parse, or its table has changed: prepare it again next time.
      prepared.drop(sql);
      throw translate(error);
    }
  };

  return {
    rows,
    command: async (sql) => commandIn((await engine.execProtocol(serialize.query(sql))).messages),
    async script(sql) {
      try {
        await engine.exec(sql);
      } finally {
        // The script may have changed tables, and with them the result types of prepared statements.
        prepared.clear();
      }
    },
  };
};

const transactionOn = async <Result>(
  connection: Connection,
  work: (session: Transaction) => Promise<Result>,
): Promise<Result> => {
  // Callers may send several statements without waiting; the engine takes only one at a time.
  const { run } = createMutex();
  const inside = openTransaction({
    rows: (sql, parameters) => run(() => connection.rows(sql, parameters)),
    script: (sql) => run(() => connection.script(sql)),
  });
  await connection.command(BEGIN);
  try {
    const result = await work(inside.session);
    inside.close();
    demandCommit(await run(() => connection.command("commit")), inside.failure);
    return result;
  } catch (error) {
    inside.close();
    await run(() => connection.command("rollback"));
    throw reasonOf(error, inside.failure);
  }
};

/** Statements and transactions on the connection, each by `run`. */
const sessionOn = (connection: Connection, run: <Result>(work: () => Promise<Result>) => Promise<Result>): Session => ({
  rows: (sql, parameters) => run(() => connection.rows(sql, parameters)),
  script: (sql) => run(() => connection.script(sql)),
  transaction: (work) => run(() => transactionOn(connection, work)),
});

const UNLOCKED: Lock = { release: async () => {}, confirm: () => {} };

/** The database interface for an opened engine. Closing it releases the lock on its files. */
export const overPglite = (engine: PGlite, lock: Lock = UNLOCKED): Database => {
  const connection = createConnection(engine);
  const queue = createMutex();
  let snapshot = 0;
  const read = <Result>(work: () => Promise<Result>): Promise<Result> => {
    demandScope();
    return queue.run(async () => {
      lock.confirm();
      const result = await work();
      lock.confirm();
      return result;
    });
  };
  /** Runs `work`, which may write: whatever it has committed by its end makes a new snapshot. */
  const writing = <Result>(work: () => Promise<Result>): Promise<Result> => work().finally(() => void (snapshot += 1));
  /** Queues `work`, which may write. */
  const run = <Result>(work: () => Promise<Result>): Promise<Result> => read(() => writing(work));
  const rows: Session["rows"] = async (sql, parameters, client) => {
    if (client?.aborted) throw new AbandonedError();
    return connection.rows(sql, parameters);
  };
  let closing: Promise<void> | undefined;
  return {
    ...sessionOn(connection, run),
    kind: "pglite",
    rows: (...statement) => run(() => rows(...statement)),
    exclusively: (work) => run(() => work(sessionOn(connection, writing))),
    listen: (channel, receive) => read(() => engine.listen(channel, receive)),
    reader: { rows: (...statement) => read(() => rows(...statement)) },
    async snapshot() {
      lock.confirm();
      return snapshot;
    },
    close() {
      closing ??= run(() => engine.close()).finally(lock.release);
      return closing;
    },
  };
};
