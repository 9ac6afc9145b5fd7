/**
 * Tracks the connections of a server, so that stopping it does not cut off a request that a client has already sent.
 */
import type { Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

/** Milliseconds that a turn may take between its look for connections and the end of listening. */
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
   * Bytes that had been read at that time. If more have been read since, part of a request has arrived whose head is
   * not complete yet.
   */
  read: number;
}

/** Resolves when what accepts connections has looked for waiting ones, and accepted at least one if there were any. */
export type Turn = () => Promise<unknown>;

/**
 * Milliseconds without a request after which a connection is closed while the server stops. A client with an open
 * connection learns only from a response that the server stops; if it sends another request within this time, it still
 * gets an answer.
 */
const QUIET = 500;

const SWEEP = 50;

/** Create it before the server listens. */
export class Connections {
  readonly #server: Server;
  readonly #connections = new Map<Socket, Connection>();
  /**
   * While the server stops, time is counted in sweeps. By the clock, connections would seem to have been quiet for all
   * the time that the process was suspended; by sweeps, it first reads what arrived meanwhile.
   */
  #swept: number | undefined;
  /** How many connections there have been. */
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

  /** The response to the oldest request that has not been answered completely. */
  nextAnswer(socket: Socket): ServerResponse | undefined {
    return this.#connections.get(socket)?.running[0];
  }

  /**
   * Stops listening, and resolves when the last connection is closed. Responses sent from now on carry `Connection:
   * close`. After `grace` milliseconds the remaining connections are cut off. `turn` is that of the event loop, unless
   * connections are accepted elsewhere.
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
   * Accepts the connections that are waiting: those still waiting when listening ends are reset. One turn may accept only
   * one of them, and others come while a turn does other work, so this takes turns until a short one accepts none.
   * Clients that connect again and again get a third of the time: what they ask then is still to be answered.
   */
  async #acceptWaiting(grace: number, turn: Turn): Promise<void> {
    const end = performance.now() + grace / 3;
    // The turn that has begun may have looked for connections already.
    await turn();
    for (;;) {
      const [before, began] = [this.#accepted, performance.now()];
      await turn();
      const now = performance.now();
      if (now > end || (this.#accepted === before && now - began < SHORT)) return;
    }
  }
}
