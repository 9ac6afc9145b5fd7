/** The client that waits for an answer. */
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { Asker } from "../../database/database.ts";
import type { AppEnv } from "../context.ts";

/** The client at the other end of a connection; gone when the connection is closed. */
class Client implements Asker {
  readonly #socket: { readonly destroyed: boolean };

  constructor(socket: { readonly destroyed: boolean }) {
    this.#socket = socket;
  }

  get isGone(): boolean {
    return this.#socket.destroyed;
  }
}

/** The client that sent a request to Node's server. */
export const clientOf = ({ socket }: Pick<IncomingMessage, "socket">): Asker => new Client(socket);

/** The client that sent a request; undefined when a test calls the application without a server. */
export const askerOf = ({ env }: Pick<Context<AppEnv>, "env">): Asker | undefined => {
  const incoming = env?.incoming;
  return incoming?.socket && clientOf(incoming);
};
