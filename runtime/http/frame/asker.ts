/** Who waits for an answer. */
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

/** Whoever sent the request; undefined when a test calls the application without a server. */
export const askerOf = ({ env }: Pick<Context<AppEnv>, "env">): Asker | undefined => {
  const socket = env?.incoming?.socket;
  return socket && new Client(socket);
};
