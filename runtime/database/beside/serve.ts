/**
 * Lets commands of the same user work on the embedded database while a server has it open, through a socket in `.cms`.
 *
 * This gives nobody more rights: only the user can access the folder and the socket, who can read and write the files
 * of the database anyway; and only statements are accepted.
 */
import { chmod } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import type { Logger } from "../../base/log.ts";
import type { Database } from "../database.ts";
import { makeAddress, removeAddress } from "./address.ts";
import {
  type Greeting,
  greetingSchema,
  onLine,
  packError,
  packRow,
  requestSchema,
  sendLine,
  type Work,
} from "./messages.ts";
import { createRemoteSessions } from "./remote-sessions.ts";

/** Milliseconds that a command may hold the one connection without sending anything; after that it is cut off. */
const SILENCE = 30_000;

export interface Beside {
  /** Rolls back what commands have not finished. The database stays open. */
  close(): Promise<void>;
}

interface Served {
  readonly root: string;
  readonly version: string;
  /** The command that this process runs, such as `cms dev`. */
  readonly command: string;
  readonly log: Logger;
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/**
 * Handles the requests of one command; `own` is the greeting of this process. Resolves when the command has
 * disconnected and its unfinished transactions are rolled back.
 */
const answer = (socket: Socket, database: Database, own: Greeting): Promise<void> => {
  const sessions = createRemoteSessions(database);
  const listeners = new Map<number, () => Promise<void>>();
  let isGreeted = false;
  let waiting = 0;
  let patience: NodeJS.Timeout | undefined;

  const perform = async (work: Work) => {
    switch (work.do) {
      case "rows":
        return (await sessions.find(work.on).rows(work.sql, work.parameters)).map(packRow);
      case "script":
        await sessions.find(work.on).script(work.sql);
        return [];
      case "begin":
        if (work.as === "exclusively") await sessions.begin(work.session, (run) => database.exclusively(run));
        else {
          const outer = sessions.find(work.on);
          await sessions.begin(work.session, (run) => outer.transaction(run));
        }
        return [];
      case "end":
        await sessions.end(work.session, work.keep);
        return [];
      case "listen":
        listeners.set(
          work.listener,
          await database.listen(work.channel, (payload) => {
            sendLine(socket, { listener: work.listener, ...(payload === undefined ? {} : { payload }) });
          }),
        );
        return [];
      default:
        await listeners.get(work.listener)?.();
        listeners.delete(work.listener);
        return [];
    }
  };

  const greet = (line: string): void => {
    const greeting = greetingSchema.safeParse(parse(line));
    isGreeted = greeting.success && greeting.data.version === own.version;
    sendLine(socket, own);
    if (!isGreeted) socket.end();
  };

  const respond = async (line: string): Promise<void> => {
    const request = requestSchema.safeParse(parse(line));
    if (!request.success) return void socket.destroy();
    const { id, work } = request.data;
    waiting += 1;
    clearTimeout(patience);
    try {
      sendLine(socket, { id, rows: await perform(work) });
    } catch (error) {
      sendLine(socket, { id, failure: packError(error) });
    }
    waiting -= 1;
    if (waiting === 0 && !sessions.isEmpty) patience = setTimeout(() => socket.destroy(), SILENCE);
  };

  onLine(socket, (line) => {
    // A client that was refused may have sent more lines together with its first one.
    if (socket.destroyed || socket.writableEnded) return;
    if (isGreeted) void respond(line);
    else greet(line);
  });
  socket.on("error", () => {});
  const clear = async (): Promise<void> => {
    // Errors of the socket need no handling here: it closes after them.
    await new Promise<void>((resolve) => socket.once("close", () => resolve()));
    clearTimeout(patience);
    await sessions.endAll();
    for (const stop of listeners.values()) await stop();
  };
  return clear();
};

const none: Beside = { close: async () => {} };

/**
 * Lets commands in the same folder use the embedded database that this process has open. Does nothing for a PostgreSQL
 * server, which they can reach themselves, and on Windows, where sockets have no owner.
 */
export const serveBeside = async (database: Database, { root, version, command, log }: Served): Promise<Beside> => {
  if (database.kind !== "pglite" || process.platform === "win32") return none;
  const own: Greeting = { version, command, pid: process.pid };
  const connected = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const ended = answer(socket, database, own)
      .catch((error: unknown) => log.warn({ err: error }, "what a command left behind could not be cleared away"))
      .finally(() => connected.delete(socket));
    connected.set(socket, ended);
  });
  try {
    const address = await makeAddress(root);
    if (address === undefined)
      throw new Error("the path of .cms and that of temporary files are too long for a socket");
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(address, resolve);
    });
    await chmod(address, 0o600);
  } catch (error) {
    log.warn({ err: error }, "commands cannot reach this process: while it runs, they find the database in use");
    return none;
  }
  server.on("error", (error) => log.warn({ err: error }, "a command could not reach this process"));
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const endings = [...connected.values()];
      for (const socket of connected.keys()) socket.destroy();
      await Promise.all([closed, ...endings]);
      await removeAddress(root);
    },
  };
};
