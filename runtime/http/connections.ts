/**
 * Tracks the connections of a server, so that stopping it does not drop a request that a client has already sent.
 */
import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

/** Milliseconds: a longer turn may have missed connections that arrived since its check. */
const SHORT = 2;

interface Connection {
  /**
   * Responses that are not finished, in the order of their requests. It is an array whose free places are reused,
   * because a Set allocates a new table every few requests, and those tables keep finished responses in memory for
   * longer than needed.
   */
  readonly running: ServerResponse[];
  /** When the connection was opened, or when its last response was finished. */
  since: number;
  /**
   * Bytes that had been read at that time. If more have been read since, an incomplete head of a request has arrived.
   */
  read: number;
}

/** Resolves when the acceptor has checked for waiting connections, and accepted at least one if there were any. */
export type Turn = () => Promise<unknown>;

/**
 * While the server stops, it closes connections after this many milliseconds without a request. A client with an open
 * connection learns only from a response that the server is stopping. If it sends another request within this time, it
 * still gets a response.
 */
const QUIET = 500;

const SWEEP = 50;

/** Create it before the server listens. */
export class Connections {
  readonly #server: Server;
  readonly #connections = new Map<Socket, Connection>();
  /**
   * While the server stops, it measures time in sweeps. By the clock, connections would seem to have been quiet while
   * the process was suspended. With sweeps, the server first reads what arrived meanwhile.
   */
  #swept: number | undefined;
  /** The number of connections accepted so far. */
  #accepted = 0;

  constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket) => {
      this.#accepted += 1;
      this.#connections.set(socket, { running: [], since: this.#time(), read: 0 });
      socket.once("close", () => this.#connections.delete(socket));
    });
    server.prependListener("request", ({ socket }, response) => this.#begin(socket, response));
  }

  /** The response to the oldest request that is not completely answered. */
  nextAnswer(socket: Socket): ServerResponse | undefined {
    return this.#connections.get(socket)?.running[0];
  }

  /**
   * Stops listening, and resolves when the last connection is closed. Responses sent from now on carry `Connection:
   * close`. After `grace` milliseconds the remaining clients are disconnected. `turn` is that of the event loop, unless
   * another process accepts the connections.
   */
  async drain(grace: number, turn: Turn = setImmediate): Promise<void> {
    this.#swept = performance.now();
    for (const { running } of this.#connections.values()) {
      for (const response of running) if (!response.headersSent) response.shouldKeepAlive = false;
    }
    const cut = setTimeout(() => this.#server.closeAllConnections(), grace);
    await this.#acceptWaiting(grace, turn);
    const sweep = setInterval(() => {
      this.#swept = this.#time() + SWEEP;
      this.#closeQuiet();
    }, SWEEP);
    await new Promise<void>((resolve) => {
      // `close` of an HTTP server also closes idle connections at once, even if their next request is on its way.
      // `close` of a plain network server does not.
      NetServer.prototype.close.call(this.#server, () => resolve());
      this.#closeQuiet();
    });
    clearInterval(sweep);
    clearTimeout(cut);
  }

  #time(): number {
    return this.#swept ?? performance.now();
  }

  #begin(socket: Socket, response: ServerResponse): void {
    const connection = this.#connections.get(socket);
    if (this.#swept !== undefined) response.shouldKeepAlive = false;
    if (!connection) return;
    connection.running.push(response);
    response.once("close", () => {
      connection.running.splice(connection.running.indexOf(response), 1);
      connection.since = this.#time();
      connection.read = socket.bytesRead;
    });
  }

  #closeQuiet(): void {
    const before = this.#time() - QUIET;
    for (const [socket, { running, since, read }] of this.#connections) {
      if (running.length === 0 && since <= before && socket.bytesRead === read) socket.destroySoon();
    }
  }

  /**
   * Accepts the waiting connections, since those still waiting when listening ends are reset. One turn may accept only
   * one, and more arrive while a turn does other work, so this takes turns until a short one accepts none. It takes at
   * most a third of the grace period, however many clients connect, since their requests still have to be answered.
   */
  async #acceptWaiting(grace: number, turn: Turn): Promise<void> {
    const end = performance.now() + grace / 3;
    // The current turn may already have checked for connections.
    await turn();
    for (;;) {
      const [before, began] = [this.#accepted, performance.now()];
      await turn();
      const now = performance.now();
      if (now > end || (this.#accepted === before && now - began < SHORT)) return;
    }
  }
}
