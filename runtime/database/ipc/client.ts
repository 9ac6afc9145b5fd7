/** The embedded database for a command that runs while a server has it open: that process runs the statements. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { SetupError } from "../../base/thrown.ts";
import type { Config } from "../../config/config.ts";
import type { Database, Row, Session, Statements, Transaction } from "../database.ts";
import { DatabaseLockedError, SERVING } from "../embedded/lock.ts";
import { openDatabase } from "../open.ts";
import { parameterText } from "../parameter.ts";
import { openTransaction } from "../transaction.ts";
import { findAddress } from "./address.ts";
import {
  answerSchema,
  type Greeting,
  greetingSchema,
  linesOf,
  type Request,
  sendLine,
  unpackError,
  unpackRow,
} from "./protocol.ts";

/** Milliseconds in which the other process must send its greeting, even if it is busy. */
const PATIENCE = 15_000;

interface Connection {
  request(request: Request): Promise<readonly Row[]>;
  close(): Promise<void>;
}

type OnNotify = (payload: string) => void;

/** Connects to the socket; undefined if nobody listens, since a killed process leaves its socket behind. */
const openSocket = async (address: string | undefined): Promise<Socket | undefined> => {
  if (address === undefined) return undefined;
  const socket = connect(address);
  const isConnected = await once(socket, "connect").catch(() => undefined);
  return isConnected && socket.on("error", () => {});
};

/** The greeting of the other process, once this one has sent its own. */
const greet = async (socket: Socket, lines: AsyncGenerator<string, void>, own: Greeting): Promise<Greeting> => {
  const timer = setTimeout(() => socket.destroy(), PATIENCE);
  sendLine(socket, own);
  const { value } = await lines.next();
  clearTimeout(timer);
  if (!value) throw new SetupError("the process that has the embedded database open does not answer. Stop it first.");
  const other = greetingSchema.parse(JSON.parse(value));
  if (other.version === own.version) return other;
  socket.destroy();
  throw new SetupError(
    `${named(other)} has the embedded database open with galley-cms ${other.version}, and this is galley-cms ${own.version}. ` +
      "Stop it, and start it again with this version.",
  );
};

const named = ({ command, pid }: Greeting): string => `"${command}" (process ${pid})`;

const openConnection = async (root: string, own: Greeting, onNotify: OnNotify): Promise<Connection | undefined> => {
  const socket = await openSocket(await findAddress(root));
  if (socket === undefined) return undefined;
  const lines = linesOf(socket);
  const other = await greet(socket, lines, own);
  const lost = (): Error =>
    new SetupError(`${named(other)} has ended, and what this command had not finished is undone. Run it again.`);
  const waiting: { resolve(rows: readonly Row[]): void; reject(error: unknown): void }[] = [];
  const receive = (line: string): void => {
    const answer = answerSchema.parse(JSON.parse(line));
    if ("notification" in answer) onNotify(answer.notification);
    else if ("failure" in answer) waiting.shift()?.reject(unpackError(answer.failure));
    else waiting.shift()?.resolve(answer.rows.map(unpackRow));
  };
  const receiveAll = async (): Promise<void> => {
    for await (const line of lines) receive(line);
  };
  const ended = receiveAll().finally(() => {
    socket.destroy();
    for (const { reject } of waiting.splice(0)) reject(lost());
  });
  return {
    request: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(lost());
        waiting.push({ resolve, reject });
        sendLine(socket, request);
      }),
    close: () => {
      socket.end();
      return ended;
    },
  };
};

const statementsOn = ({ request }: Connection): Statements => ({
  rows: (sql, parameters = []) => request({ sql, parameters: parameters.map(parameterText) }),
  script: async (sql) => void (await request({ sql })),
});

/** Runs `work` while the other process keeps its database, or a transaction, for this connection. */
const between = async <Result>(
  { request }: Connection,
  begin: "transaction" | "exclusively",
  work: () => Promise<Result>,
): Promise<Result> => {
  await request({ begin });
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await request({ end: "rollback" }).catch(() => {});
    throw error;
  }
  await request({ end: "commit" });
  return result;
};

const transactionOn = <Result>(connection: Connection, work: (session: Transaction) => Promise<Result>) =>
  between(connection, "transaction", async () => {
    const inside = openTransaction(statementsOn(connection));
    try {
      return await work(inside.session);
    } finally {
      inside.close();
    }
  });

/**
 * The embedded database of the project in `root`, through the process that has it open; undefined if none serves it.
 *
 * @param command the command that this process runs, and the version of galley-cms
 * @throws SetupError when that process is of another version, or does not answer
 */
export const connectToServer = async (root: string, command: Omit<Greeting, "pid">): Promise<Database | undefined> => {
  const open = (onNotify: OnNotify = () => {}) => openConnection(root, { ...command, pid: process.pid }, onNotify);
  const main = await open();
  if (main === undefined) return undefined;
  const openAnother = async (onNotify?: OnNotify): Promise<Connection> => {
    const opened = await open(onNotify);
    if (opened === undefined) throw new SetupError("The process that had the embedded database open has ended.");
    return opened;
  };
  const onAnother = async <Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> => {
    const connection = await openAnother();
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  };
  const sessionOn = (connection: Connection): Session => ({
    ...statementsOn(connection),
    transaction: (work) => transactionOn(connection, work),
  });
  return {
    kind: "pglite",
    ...statementsOn(main),
    transaction: (work) => onAnother((connection) => transactionOn(connection, work)),
    exclusively: (work) =>
      onAnother((connection) => between(connection, "exclusively", () => work(sessionOn(connection)))),
    async listen(channel, receive) {
      const connection = await openAnother(receive);
      await connection.request({ listen: channel });
      return connection.close;
    },
    close: main.close,
  };
};

/** Milliseconds to wait for a server that is just starting, and between two tries to reach it. */
const START_PATIENCE = 5000;
const PAUSE = 100;

/**
 * Opens the database of the project in `root` as {@link openDatabase} does; if a server has the embedded database open,
 * goes through that server.
 *
 * @param own the command that this process runs, such as `cms token list`, and the version of galley-cms
 * @throws SetupError when the database cannot be opened, or the server is of another version
 */
export const openOrConnect = async (
  config: Pick<Config, "database">,
  root: string,
  own: { readonly command: string; readonly version: string },
): Promise<Database> => {
  if (config.database.url !== undefined) return openDatabase(config, root, own.command);
  for (const until = Date.now() + START_PATIENCE; ; await wait(PAUSE)) {
    const running = await connectToServer(root, own);
    if (running) return running;
    try {
      return await openDatabase(config, root, own.command);
    } catch (error) {
      const isStarting = error instanceof DatabaseLockedError && SERVING.has(error.command);
      if (!isStarting || Date.now() > until) throw error;
    }
  }
};
