/** Requests to read documents, whichever way they have come. */
import type { IncomingMessage } from "node:http";
import type { Context, Handler } from "hono";
import type { Asker } from "../../database/database.ts";
import { parseQuery, type RawQuery } from "../../query/index.ts";
import type { AppEnv } from "../context.ts";
import { askerOf } from "../frame/asker.ts";
import { type Asking, type Reply, sendReply } from "../frame/read-answer.ts";
import type { Services } from "../services.ts";

/** What is known of a request to read. */
export interface ReadRequest extends Asking {
  readonly services: Services;
  /** What the path names; empty where it names none. */
  readonly documentId: string;
  /** What the route adds to the query. */
  readonly added: RawQuery | undefined;
  /** Who waits; undefined when a test calls the application without a server. */
  readonly asker: Asker | undefined;
}

/** Answers a request to read, or fails as the request does. */
export type Reading = (request: ReadRequest) => Promise<Reply>;

export const documentIdOf = (c: Context<AppEnv>): string => c.req.param("documentId") ?? "";

/** A request, whatever else its context holds. */
interface Asked {
  readonly req: { readonly url: string };
}

/** What stands behind the `?` of a request. */
const queryOf = ({ req: { url } }: Asked): string => {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
};

/** The same, parsed. */
export const parsedQueryOf = (c: Asked & { readonly var: Pick<AppEnv["Variables"], "services"> }): RawQuery =>
  parseQuery(queryOf(c), c.var.services.config.rest.arrayLimit);

/** The request to read that Hono has taken in. */
export const readRequestOf = (c: Context<AppEnv>): ReadRequest => ({
  services: c.get("services"),
  caller: c.get("caller"),
  documentId: documentIdOf(c),
  query: queryOf(c),
  added: c.get("added"),
  isRead: c.get("isRead"),
  asker: askerOf(c),
  header: (name) => c.req.header(name),
});

/** Why requests have failed that were read without Hono, which answers them. */
const failures = new WeakMap<IncomingMessage, { readonly error: unknown }>();

/** Has the handler of the request fail with this instead of reading once more. */
export const failWith = (incoming: IncomingMessage, error: unknown): void => {
  failures.set(incoming, { error });
};

const readingOf: unique symbol = Symbol("reading");

/** The handler of a route for what `reading` does. */
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

/** What a handler does, when it is one that {@link readHandler} made. */
export const readingOfHandler = (handler: object): Reading | undefined =>
  isMarked(handler) ? handler[readingOf] : undefined;
