/**
 * Lets commands of the same user work on the embedded database while a server has it open, by a socket in `.cms`.
 *
 * It is no way around anything: the folder and the socket are the user's alone, who may read and write the files of the
 * database as well, and nothing but statements passes through it.
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

/** Milliseconds for which a command may hold the one connection and say nothing: it is gone, or stands still. */
const SILENCE = 30_000;

export interface Beside {
  /** Takes back what commands have not finished. The database stays open. */
  close(): Promise<void>;
}

interface Served {
  readonly root: string;
  readonly version: string;
  /** What this process is, such as `cms dev`. */
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
 * Does what one command asks for; `own` is what this process says of itself. Resolves once the command has ended, and what
 * it had not finished is taken back.
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
    // What was refused may have sent more in the same breath.
    if (socket.destroyed || socket.writableEnded) return;
    if (isGreeted) void respond(line);
    else greet(line);
  });
  socket.on("error", () => {});
  const clear = async (): Promise<void> => {
    // Errors of the socket are no reason to leave anything: it closes after them.
    await new Promise<void>((resolve) => socket.once("close", () => resolve()));
    clearTimeout(patience);
    await sessions.endAll();
    for (const stop of listeners.values()) await stop();
  };
  return clear();
};

const none: Beside = { close: async () => {} };

/**
 * Serves the embedded database that this process has open to commands in the same folder. On a PostgreSQL server, which
 * they reach by themselves, and on Windows, whose sockets have no owner, it does nothing.
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
