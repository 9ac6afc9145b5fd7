/** Read requests, whether they came through Hono or directly from Node. */
import type { IncomingMessage } from "node:http";
import type { Context, Handler } from "hono";
import type { Client } from "../../database/database.ts";
import { parseQuery, type RawQuery } from "../../query/index.ts";
import type { AppEnv } from "../context.ts";
import { waitingClient } from "../frame/client.ts";
import { type Asking, type Reply, sendReply } from "../frame/read-answer.ts";
import type { Services } from "../services.ts";

/** A read request. */
export interface ReadRequest extends Asking {
  readonly services: Services;
  /** The documentId in the path; empty if the path has none. */
  readonly documentId: string;
  /** Query parameters that the route adds. */
  readonly added: RawQuery | undefined;
  /** The client that waits; undefined when a test calls the application without a server. */
  readonly client: Client | undefined;
}

/** Answers a read request; throws the errors that the request is to be answered with. */
export type Reading = (request: ReadRequest) => Promise<Reply>;

export const documentIdOf = (c: Context<AppEnv>): string => c.req.param("documentId") ?? "";

/** The part of a Hono context that the functions below need. */
interface Asked {
  readonly req: { readonly url: string };
}

/** The query string of a request, without the `?`. */
const queryOf = ({ req: { url } }: Asked): string => {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
};

/** The parsed query string. */
export const parsedQueryOf = (c: Asked & { readonly var: Pick<AppEnv["Variables"], "services"> }): RawQuery =>
  parseQuery(queryOf(c), c.var.services.config.rest.arrayLimit);

/** The read request for a request that came through Hono. */
export const readRequestOf = (c: Context<AppEnv>): ReadRequest => ({
  services: c.get("services"),
  caller: c.get("caller"),
  documentId: documentIdOf(c),
  query: queryOf(c),
  added: c.get("added"),
  isRead: c.get("isRead"),
  client: waitingClient(c),
  header: (name) => c.req.header(name),
});

/** Errors of reads that were tried without Hono, by request: Hono answers with these errors. */
const failures = new WeakMap<IncomingMessage, { readonly error: unknown }>();

/** Makes the Hono handler of this request throw `error` instead of reading again. */
export const failWith = (incoming: IncomingMessage, error: unknown): void => {
  failures.set(incoming, { error });
};

const readingOf: unique symbol = Symbol("reading");

/** Makes the Hono handler for a function that answers read requests. */
export const readHandler = (reading: Reading): Handler<AppEnv> => {
  const handler: Handler<AppEnv> = async (c) => {
    const { incoming } = c.env ?? {};
    const failure = incoming && failures.get(incoming);
    if (failure) throw failure.error;
    return sendReply(c, await reading(readRequestOf(c)));
  };
  return Object.assign(handler, { [readingOf]: reading });
};

const isMarked = (handler: object): handler is { [readingOf]: Reading } => readingOf in handler;

/** The function behind a handler, if the handler was made by {@link readHandler}. */
export const readingOfHandler = (handler: object): Reading | undefined =>
  isMarked(handler) ? handler[readingOf] : undefined;
