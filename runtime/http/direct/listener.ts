/**
 * Answers plain reads as Node brings them, without Hono's objects between: they are most of what is asked, and those
 * objects cost more than reading a document. What is answered, and whether, is decided by the same functions.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../access/caller.ts";
import { clientOf } from "../frame/asker.ts";
import { createCors } from "../frame/cors.ts";
import type { AnswerHeaders } from "../frame/headers.ts";
import type { Reply } from "../frame/read-answer.ts";
import { failWith, type ReadRequest } from "../rest/read-request.ts";
import type { Services } from "../services.ts";
import type { FindRoute, Found } from "./routes.ts";

/** The way through Hono. */
export type Pass = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Whether a request is answered; if not, nothing has been done with it. Where it fails later, it is passed on. */
export type Direct = (incoming: IncomingMessage, outgoing: ServerResponse, pass: Pass) => boolean;

/** Hosts whose name is what a URL makes of it. */
const HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

/** A header of a request as the Fetch standard has it: what is sent more than once, put together. */
const headerOf = ({ rawHeaders }: IncomingMessage, name: string): string | undefined => {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index] ?? "";
    if (each.length !== name.length || each.toLowerCase() !== name) continue;
    const text = (rawHeaders[index + 1] ?? "").trim();
    value = value === undefined ? text : `${value}, ${text}`;
  }
  return value;
};

class DirectRequest implements ReadRequest {
  readonly services: Services;
  readonly caller: Caller;
  readonly documentId: string;
  readonly query: string;
  readonly added = undefined;
  readonly #incoming: IncomingMessage;

  constructor(services: Services, caller: Caller, { documentId, query }: Found, incoming: IncomingMessage) {
    this.services = services;
    this.caller = caller;
    this.documentId = documentId;
    this.query = query;
    this.#incoming = incoming;
  }

  get asker(): ReadRequest["asker"] {
    return clientOf(this.#incoming);
  }

  header(name: string): string | undefined {
    return headerOf(this.#incoming, name);
  }
}

/** Reads have no body, and name a host that needs no second look. */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  headers.host !== undefined &&
  HOST.test(headers.host);

const lengthOf = (body: Reply["body"]): number =>
  typeof body === "string" ? Buffer.byteLength(body) : (body?.length ?? 0);

const send = (outgoing: ServerResponse, { all }: AnswerHeaders, { status, headers, body }: Reply): void => {
  const length = body === null ? {} : { "Content-Length": lengthOf(body) };
  outgoing.writeHead(status, { ...all, ...headers, ...length });
  outgoing.end(body ?? undefined);
};

/** Answers the reads among the requests to one server. */
export const createDirect = (services: Services, find: FindRoute): Direct => {
  const cors = createCors(services.config);

  /** Who asks, where that is known without waiting. What is wrong with them is for Hono to say. */
  const callerOf = (incoming: IncomingMessage): Caller | undefined => {
    try {
      const caller = services.auth.authenticate(headerOf(incoming, "authorization"));
      return caller instanceof Promise ? void caller.catch(() => {}) : caller;
    } catch {
      return undefined;
    }
  };

  return (incoming, outgoing, pass) => {
    const found = isPlain(incoming) ? find(incoming.url ?? "") : undefined;
    const caller = found && callerOf(incoming);
    if (!caller || !found.actions.every((action) => caller.can(action))) return false;
    const headers = cors.headers(headerOf(incoming, "origin"));
    found
      .reading(new DirectRequest(services, caller, found, incoming))
      .then((reply) => send(outgoing, headers, reply))
      .catch((error: unknown) => {
        failWith(incoming, error);
        if (outgoing.headersSent) outgoing.destroy();
        else pass(incoming, outgoing);
      });
    return true;
  };
};
