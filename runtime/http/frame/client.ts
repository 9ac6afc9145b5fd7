/** The client that waits for an answer. */
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { Client } from "../../database/database.ts";
import type { AppEnv } from "../context.ts";
import type { Services } from "../services.ts";

/** The client that sent a request; gone when its connection is closed. */
class RequestClient implements Client {
  readonly deadline: number;
  readonly #incoming: IncomingMessage;
  readonly #services: Services;

  constructor(incoming: IncomingMessage, services: Services) {
    this.#incoming = incoming;
    this.#services = services;
    this.deadline = performance.now() + services.config.database.requestSeconds * 1000;
  }

  get aborted(): boolean {
    return this.#incoming.socket.destroyed;
  }

  /** Its address, and what it identifies itself with. */
  get keys(): readonly string[] {
    const { headers } = this.#incoming;
    const header = (name: string): string | undefined => headers[name]?.toString();
    const address = this.#services.clientAddress({ env: { incoming: this.#incoming }, req: { header } });
    return headers.authorization === undefined ? [address] : [address, headers.authorization];
  }
}

/** The client that sent a request; undefined when a test calls the application without a server. */
export const waitingClient = (c: Pick<Context<AppEnv>, "env" | "get">): Client | undefined => {
  const incoming = c.env?.incoming;
  return incoming?.socket && new RequestClient(incoming, c.get("services"));
};
