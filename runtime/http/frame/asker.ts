/** Who waits for an answer. */
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { Asker } from "../../database/database.ts";
import type { AppEnv } from "../context.ts";

/** The other end of a connection, as long as it is there. */
class Client implements Asker {
  readonly #socket: { readonly destroyed: boolean };

  constructor(socket: { readonly destroyed: boolean }) {
    this.#socket = socket;
  }

  get isGone(): boolean {
    return this.#socket.destroyed;
  }
}

/** Whoever sent a request. */
export const clientOf = ({ socket }: Pick<IncomingMessage, "socket">): Asker => new Client(socket);

/** Whoever sent the request; undefined when a test calls the application without a server. */
export const askerOf = ({ env }: Pick<Context<AppEnv>, "env">): Asker | undefined => {
  const incoming = env?.incoming;
  return incoming?.socket && clientOf(incoming);
};
