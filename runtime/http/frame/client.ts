/** The client that waits for a response. */
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { Caller } from "../../access/caller.ts";
import type { Client, Database } from "../../database/database.ts";
import { withDocuments } from "../../documents/create-documents.ts";
import { recordOf, type RequestRecord } from "../../telemetry/request-record.ts";
import type { AppEnv, Services, WaitingClient } from "../context.ts";

/** The client that sent a request; gone when its connection is closed. */
class RequestClient implements WaitingClient {
  readonly #incoming: IncomingMessage;
  readonly #services: Services;
  #begun = performance.now();

  constructor(incoming: IncomingMessage, services: Services) {
    this.#incoming = incoming;
    this.#services = services;
  }

  get aborted(): boolean {
    return this.#incoming.socket.destroyed;
  }

  /** Uploads have no deadline. */
  get deadline(): number {
    if (this.#incoming.headers["content-type"]?.startsWith("multipart/")) return Infinity;
    return this.#begun + this.#services.config.database.requestSeconds * 1000;
  }

  get request(): RequestRecord | undefined {
    return recordOf(this.#incoming);
  }

  /** The client's address, and its credentials if it sent any. */
  get keys(): readonly string[] {
    const { headers } = this.#incoming;
    const header = (name: string): string | undefined => headers[name]?.toString();
    const address = this.#services.clientAddress({ env: { incoming: this.#incoming }, req: { header } });
    return headers.authorization === undefined ? [address] : [address, headers.authorization];
  }

  restart(): void {
    this.#begun = performance.now();
  }
}

/** The client that sent a request; undefined when a test calls the application without a server. */
export const clientOf = (c: Pick<Context<AppEnv>, "env">, services: Services): WaitingClient | undefined => {
  const incoming = c.env?.incoming;
  return incoming?.socket && new RequestClient(incoming, services);
};

/**
 * Runs a request's database work within its client's share and deadline. Once something is committed the deadline no
 * longer applies, since the work that follows from it must be done. A disconnecting client aborts nothing.
 */
const writerFor = (database: Database, client: Client): Database => {
  let isCommitted = false;
  const own = (): Client => ({
    aborted: false,
    keys: client.keys ?? [],
    request: client.request,
    deadline: isCommitted ? Infinity : (client.deadline ?? Infinity),
  });
  return {
    ...database,
    rows: (sql, parameters) => database.rows(sql, parameters, own()),
    async transaction(work, beginning) {
      const result = await database.transaction(work, { ...beginning, client: own() });
      isCommitted = true;
      return result;
    },
  };
};

/**
 * The services for one request: its database work is done on behalf of its client and counted for the request, and log
 * lines of hooks carry the request's id.
 */
export const requestServices = (c: Context<AppEnv>): Services => {
  const services = c.get("services");
  const client = c.get("client");
  const record = recordOf(c.env?.incoming);
  if (!client) return services;
  const log = record ? services.log.child({ requestId: record.id }) : services.log;
  return withDocuments({ ...services, log, database: writerFor(services.database, client) });
};

/** The caller together with where the request comes from, if that is recorded. */
export const withOrigin = (c: Context<AppEnv>, caller: Caller): Caller => {
  const { config, clientAddress } = c.get("services");
  if (!config.audit) return caller;
  const requestId = recordOf(c.env?.incoming)?.id ?? null;
  return { ...caller, origin: { address: clientAddress(c), requestId } };
};
