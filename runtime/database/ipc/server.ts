/**
 * Lets commands of the same user work on the embedded database while a server has it open, through a socket in `.cms`.
 *
 * This gives nobody more rights: only the user can access the folder and the socket, who can read and write the files
 * of the database anyway; and only statements are accepted.
 */
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import type { Logger } from "../../base/log.ts";
import type { Database, Session } from "../database.ts";
import { makeAddress, removeAddress } from "./address.ts";
import {
  type Greeting,
  greetingSchema,
  linesOf,
  packError,
  packRow,
  type Request,
  requestSchema,
  sendLine,
} from "./protocol.ts";

/** Milliseconds that a command may hold the one connection without sending anything before it is disconnected. */
const SILENCE = 30_000;

export interface DatabaseServer {
  /** Rolls back what commands have not finished. The database stays open. */
  close(): Promise<void>;
}

export interface DatabaseServerOptions {
  readonly root: string;
  readonly version: string;
  /** The command that this process runs, such as `cms dev`. */
  readonly command: string;
  readonly log: Logger;
}

/** Thrown to roll a transaction back: because the command asked for it, or because its connection is over. */
const ROLLED_BACK = new Error("rolled back");
const ENDED = new Error("the connection of a command has ended");

const ignore =
  (...expected: readonly unknown[]) =>
  (error: unknown): void => {
    if (!expected.includes(error)) throw error;
  };

/** One connection of a command. */
class Client {
  readonly #socket: Socket;
  readonly #database: Database;
  readonly #lines: AsyncGenerator<string, void>;

  constructor(socket: Socket, database: Database) {
    this.#socket = socket.on("error", () => {});
    this.#database = database;
    this.#lines = linesOf(socket);
  }

  /** Serves requests until the command ends the connection; `own` is the greeting of this process. */
  async serve(own: Greeting): Promise<void> {
    const greeting = greetingSchema.safeParse(await this.#next());
    sendLine(this.#socket, own);
    if (greeting.success && greeting.data.version === own.version)
      await this.#answer(this.#database).catch(ignore(ENDED, ROLLED_BACK));
    this.#socket.end();
  }

  /** Serves the requests of one session until it ends. */
  async #answer(session: Session, patience?: number): Promise<void> {
    for (;;) {
      const request = requestSchema.safeParse(await this.#next(patience));
      if (!request.success) throw ENDED;
      if ("end" in request.data) {
        if (request.data.end === "rollback") throw ROLLED_BACK;
        return;
      }
      try {
        const rows = await this.#perform(session, request.data);
        sendLine(this.#socket, { rows: rows.map(packRow) });
      } catch (error) {
        if (error === ENDED) throw error;
        sendLine(this.#socket, packError(error));
      }
    }
  }

  async #perform(session: Session, request: Exclude<Request, { readonly end: unknown }>) {
    if ("begin" in request) await this.#hold(session, request.begin);
    else if ("listen" in request) await this.#listen(request.listen);
    else if (request.parameters) return session.rows(request.sql, request.parameters);
    else await session.script(request.sql);
    return [];
  }

  /** Serves requests in a session of their own. */
  async #hold(session: Session, how: "transaction" | "exclusively"): Promise<void> {
    const work = (own: Session): Promise<void> => {
      sendLine(this.#socket, { rows: [] });
      return this.#answer(own, SILENCE);
    };
    const held = how === "exclusively" ? this.#database.exclusively(work) : session.transaction(work);
    await held.catch(ignore(ROLLED_BACK));
  }

  async #listen(channel: string): Promise<void> {
    const stop = await this.#database.listen(channel, (notification = "") => {
      sendLine(this.#socket, { notification });
    });
    this.#socket.once("close", () => void stop().catch(() => {}));
  }

  /** The next message; undefined if there is none. */
  async #next(patience?: number): Promise<unknown> {
    const timer = patience === undefined ? undefined : setTimeout(() => this.#socket.destroy(), patience);
    const { value } = await this.#lines.next();
    clearTimeout(timer);
    try {
      return value && JSON.parse(value);
    } catch {
      return undefined;
    }
  }
}

const listenAt = async (server: Server, root: string): Promise<void> => {
  const address = await makeAddress(root);
  if (address === undefined) throw new Error("the paths of .cms and of the temporary folder are too long for a socket");
  server.listen(address);
  await once(server, "listening");
  await chmod(address, 0o600);
};

/**
 * Lets commands in the same folder use the embedded database that this process has open. Does nothing for a PostgreSQL
 * server, which they can reach themselves, and on Windows, where sockets have no owner.
 */
export const serveDatabase = async (
  database: Database,
  { root, version, command, log }: DatabaseServerOptions,
): Promise<DatabaseServer> => {
  const none: DatabaseServer = { close: async () => {} };
  if (database.kind !== "pglite" || process.platform === "win32") return none;
  const clients = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const served = new Client(socket, database)
      .serve({ version, command, pid: process.pid })
      .catch((error: unknown) => log.warn({ err: error }, "could not clean up after a command"))
      .finally(() => clients.delete(socket));
    clients.set(socket, served);
  });
  try {
    await listenAt(server, root);
  } catch (error) {
    log.warn({ err: error }, "commands cannot reach this process, and find the database locked while it runs");
    return none;
  }
  server.on("error", (error) => log.warn({ err: error }, "a command could not reach this process"));
  return {
    async close() {
      const closed = once(server.close(), "close");
      for (const socket of clients.keys()) socket.destroy();
      await Promise.all([closed, ...clients.values()]);
      await removeAddress(root);
    },
  };
};
