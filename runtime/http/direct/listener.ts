/**
 * Answers simple reads directly from Node's request objects, without going through Hono. Most requests are reads, and
 * Hono's request and response objects take more time than reading a document. Permissions and answers come from the
 * same functions on both ways.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../../access/caller.ts";
import { clientOf } from "../frame/client.ts";
import { createCors } from "../frame/cors.ts";
import type { AnswerHeaders, Headers } from "../frame/headers.ts";
import type { Reply } from "../frame/read-answer.ts";
import { failWith, type ReadRequest } from "../rest/read-request.ts";
import type { Services } from "../services.ts";
import type { DirectAnswer, FindEndpoint } from "./endpoint.ts";
import { type FindRoute, type Found, isPlainTarget } from "./routes.ts";
import { giveBack, smallLength, takeBody } from "./small-body.ts";

/** Handles a request through Hono. */
export type Pass = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Tries to answer a request directly. Returns false, without having done anything, if Hono has to handle the request. A
 * read that fails later is passed to Hono, which answers with the error.
 */
export type Direct = (incoming: IncomingMessage, outgoing: ServerResponse, pass: Pass) => boolean;

/** Host names that the URL parser leaves unchanged. */
const HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

/** A request header as the Fetch standard defines it: repeated headers joined by commas. */
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

  get client(): ReadRequest["client"] {
    return clientOf(this.#incoming);
  }

  header(name: string): string | undefined {
    return headerOf(this.#incoming, name);
  }
}

/** Whether the request comes from a host name that needs no normalizing. */
const isFromPlainHost = ({ headers: { host } }: IncomingMessage): boolean => host !== undefined && HOST.test(host);

/** Whether the request is a read without a body. */
const isRead = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" && headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;

/**
 * Headers as a list of names and values in turn, which Node writes faster than an object.
 *
 * @param all names and values in turn
 * @param own headers that override those
 */
const withOwn = (all: readonly string[], own: Headers): string[] => {
  const list = [...all];
  for (const name of Object.keys(own)) {
    let at = 0;
    while (at < all.length && list[at] !== name) at += 2;
    if (at >= all.length) at = list.length;
    list[at] = name;
    list[at + 1] = own[name] ?? "";
  }
  return list;
};

const send = (outgoing: ServerResponse, { list }: AnswerHeaders, { status, headers, body }: Reply): void => {
  const all = withOwn(list, headers);
  const length = typeof body === "string" ? Buffer.byteLength(body) : body?.length;
  if (length !== undefined) all.push("Content-Length", String(length));
  outgoing.writeHead(status, all);
  // ASCII text is the same in Latin-1, which Node writes faster than UTF-8, in one piece with the headers. Other text is
  // written faster as a Buffer.
  if (typeof body !== "string") outgoing.end(body ?? undefined);
  else if (length === body.length) outgoing.end(body, "latin1");
  else outgoing.end(Buffer.from(body));
};

/** What can be answered without Hono. */
export interface DirectWays {
  readonly find: FindRoute;
  readonly findEndpoint: FindEndpoint;
}

/** Creates the function that answers simple requests to one server directly. */
export const createDirect = (services: Services, { find, findEndpoint }: DirectWays): Direct => {
  const cors = createCors(services.config);

  /** The caller, if known without waiting; undefined otherwise. Hono then answers requests with invalid credentials. */
  const callerOf = (incoming: IncomingMessage): Caller | undefined => {
    try {
      const caller = services.auth.authenticate(headerOf(incoming, "authorization"));
      return caller instanceof Promise ? void caller.catch(() => {}) : caller;
    } catch {
      return undefined;
    }
  };

  const headersFor = (incoming: IncomingMessage): AnswerHeaders => cors.headers(headerOf(incoming, "origin"));

  const readDirectly: Direct = (incoming, outgoing, pass) => {
    const found = isRead(incoming) ? find(incoming.url ?? "") : undefined;
    const caller = found && callerOf(incoming);
    if (!caller || !found.actions.every((action) => caller.can(action))) return false;
    const headers = headersFor(incoming);
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

  /** Asks an endpoint for the answer; returns false if it has none. */
  const ask = (answer: DirectAnswer, { incoming, outgoing, caller, body, pass }: Asking): boolean => {
    const reply = answer({
      method: body === undefined ? "GET" : "POST",
      target: incoming.url ?? "",
      body: body ?? NOTHING,
      caller,
      client: clientOf(incoming),
      header: (name) => headerOf(incoming, name),
    });
    if (!reply) return false;
    const headers = headersFor(incoming);
    reply
      .then((given) => send(outgoing, headers, given))
      .catch(() => {
        if (outgoing.headersSent) outgoing.destroy();
        else pass(incoming, outgoing);
      });
    return true;
  };

  const askDirectly: Direct = (incoming, outgoing, pass) => {
    const { url = "", method } = incoming;
    const mark = url.indexOf("?");
    const answer = findEndpoint(mark < 0 ? url : url.slice(0, mark));
    if (!answer) return false;
    const length = method === "POST" && mark < 0 ? smallLength(incoming) : undefined;
    if (length === undefined && !(isRead(incoming) && isPlainTarget(url))) return false;
    const caller = callerOf(incoming);
    if (!caller) return false;
    if (length === undefined) return ask(answer, { incoming, outgoing, caller, pass });
    // Node is still reading what has arrived with the head.
    process.nextTick(() => {
      const body = takeBody(incoming, length);
      if (!body) return pass(incoming, outgoing);
      const passWhole: Pass = (...request) => {
        giveBack(incoming, body);
        pass(...request);
      };
      if (!ask(answer, { incoming, outgoing, caller, body, pass: passWhole })) passWhole(incoming, outgoing);
    });
    return true;
  };

  return (incoming, outgoing, pass) =>
    isFromPlainHost(incoming) && (readDirectly(incoming, outgoing, pass) || askDirectly(incoming, outgoing, pass));
};

const NOTHING = new Uint8Array();

interface Asking {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly caller: Caller;
  /** Undefined for a read. */
  readonly body?: Buffer;
  /** Answers instead if something fails. */
  readonly pass: Pass;
}
