/** The client that waits for an answer. */
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { Client } from "../../database/database.ts";
import type { AppEnv } from "../context.ts";

/** The client at the other end of a connection; gone when the connection is closed. */
class SocketClient implements Client {
  readonly #socket: { readonly destroyed: boolean };

  constructor(socket: { readonly destroyed: boolean }) {
    this.#socket = socket;
  }

  get aborted(): boolean {
    return this.#socket.destroyed;
  }
}

/** The client that sent a request to Node's server. */
export const clientOf = ({ socket }: Pick<IncomingMessage, "socket">): Client => new SocketClient(socket);

/** The client that sent a request; undefined when a test calls the application without a server. */
export const waitingClient = ({ env }: Pick<Context<AppEnv>, "env">): Client | undefined => {
  const incoming = env?.incoming;
  return incoming?.socket && clientOf(incoming);
};
