/** The embedded database for a command that runs beside a server: every statement is sent to that server's process. */
import { connect, type Socket } from "node:net";
import { SetupError } from "../../base/setup-error.ts";
import type { Database, Row, Session, Statements, Transaction } from "../database.ts";
import { openTransaction } from "../transaction.ts";
import { findAddress } from "./address.ts";
import {
  answerSchema,
  type Greeting,
  greetingSchema,
  onLine,
  sendLine,
  unpackError,
  unpackRow,
  type Work,
} from "./messages.ts";

/** Milliseconds in which the other process must send its greeting, even if it is busy. */
const PATIENCE = 15_000;

/** Connects to the socket; undefined if nobody listens, since a killed process leaves its socket behind. */
const openSocket = (address: string): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect(address);
    socket.once("connect", () => resolve(socket));
    socket.once("error", () => resolve(undefined));
  });

const named = ({ command, pid }: Pick<Greeting, "command" | "pid">): string => `"${command}" (process ${pid})`;

/** Matches answers to the requests that wait for them, and notifications to their listeners. */
const createExchange = (socket: Socket, lost: () => Error) => {
  const waiting = new Map<number, { resolve(rows: readonly Row[]): void; reject(error: unknown): void }>();
  const listeners = new Map<number, (payload?: string) => void>();
  let count = 0;

  const receive = (line: string): void => {
    const answer = answerSchema.parse(JSON.parse(line));
    if ("listener" in answer) {
      listeners.get(answer.listener)?.(answer.payload);
      return;
    }
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("failure" in answer) asked?.reject(unpackError(answer.failure));
    else asked?.resolve(answer.rows.map(unpackRow));
  };
  socket.once("close", () => {
    for (const { reject } of waiting.values()) reject(lost());
    waiting.clear();
  });

  const ask = (work: Work): Promise<readonly Row[]> =>
    new Promise((resolve, reject) => {
      if (socket.destroyed) return reject(lost());
      waiting.set(++count, { resolve, reject });
      sendLine(socket, { id: count, work });
    });

  return {
    receive,
    ask,
    async listen(channel: string, listener: (payload?: string) => void): Promise<() => Promise<void>> {
      const number = ++count;
      listeners.set(number, listener);
      await ask({ do: "listen", channel, listener: number });
      return async () => {
        listeners.delete(number);
        if (!socket.destroyed) await ask({ do: "ignore", listener: number });
      };
    },
  };
};
type Exchange = ReturnType<typeof createExchange>;

const databaseOver = ({ ask, listen }: Exchange, socket: Socket): Database => {
  let count = 0;

  const statementsOn = (on: number): Statements => ({
    rows: (sql, parameters = []) => ask({ do: "rows", on, sql, parameters }),
    script: async (sql) => void (await ask({ do: "script", on, sql })),
  });

  /** Runs `work` in a session that the other process begins and ends for us. */
  const within = async <Result>(
    on: number,
    as: "transaction" | "exclusively",
    work: (session: number) => Promise<Result>,
  ): Promise<Result> => {
    const session = ++count;
    await ask({ do: "begin", on, session, as });
    let result: Result;
    try {
      result = await work(session);
    } catch (error) {
      await ask({ do: "end", session, keep: false }).catch(() => {});
      throw error;
    }
    await ask({ do: "end", session, keep: true });
    return result;
  };

  const transactionOn = <Result>(on: number, work: (session: Transaction) => Promise<Result>): Promise<Result> =>
    within(on, "transaction", async (session) => {
      const inside = openTransaction(statementsOn(session));
      try {
        return await work(inside.session);
      } finally {
        inside.close();
      }
    });

  const sessionOn = (on: number): Session => ({
    ...statementsOn(on),
    transaction: (work) => transactionOn(on, work),
  });

  return {
    kind: "pglite",
    ...sessionOn(0),
    exclusively: (work) => within(0, "exclusively", (session) => work(sessionOn(session))),
    listen,
    close: () =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve();
        socket.once("close", () => resolve());
        socket.end();
      }),
  };
};

/**
 * The embedded database of the project in `root`, through the process that has it open; undefined if none serves it.
 *
 * @param own the greeting of this process
 * @throws SetupError when that process is of another version, or does not answer
 */
export const connectBeside = async (root: string, own: Omit<Greeting, "pid">): Promise<Database | undefined> => {
  const address = await findAddress(root);
  const socket = address === undefined ? undefined : await openSocket(address);
  if (socket === undefined) return undefined;
  let other = { command: "the server", pid: 0 };
  const exchange = createExchange(
    socket,
    () => new SetupError(`${named(other)} has ended, and what this command had not finished is undone. Run it again.`),
  );
  const greeting = await new Promise<Greeting>((resolve, reject) => {
    let receive = (line: string): void => {
      receive = exchange.receive;
      resolve(greetingSchema.parse(JSON.parse(line)));
    };
    const silent = (): void =>
      reject(new SetupError("the process that has the embedded database open does not answer. Stop it first."));
    const timer = setTimeout(silent, PATIENCE);
    onLine(socket, (line) => {
      clearTimeout(timer);
      receive(line);
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      clearTimeout(timer);
      silent();
    });
    sendLine(socket, { ...own, pid: process.pid });
  }).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
  other = greeting;
  if (greeting.version !== own.version) {
    socket.destroy();
    throw new SetupError(
      `${named(greeting)} has the embedded database open with galley-cms ${greeting.version}, and this is galley-cms ${own.version}. ` +
        "Stop it, and start it again with this version.",
    );
  }
  return databaseOver(exchange, socket);
};
