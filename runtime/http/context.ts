import type { IncomingMessage } from "node:http";
import type { Caller } from "../access/caller.ts";
import type { RawQuery } from "../query/index.ts";
import type { AnswerHeaders } from "./frame/headers.ts";
import type { Services } from "./services.ts";

/** What handlers find in the request context: set before any route runs. */
export interface AppEnv {
  Bindings: {
    /** The request as Node has it; absent when a test calls the application without a server. */
    incoming?: IncomingMessage;
  };
  Variables: {
    services: Services;
    caller: Caller;
    /** The parsed body of a request that may write; undefined when there was none that we understand. */
    body: unknown;
    /** The query string as a schema of the route has read it. */
    query?: unknown;
    /** What the route adds to the query of the client. */
    added?: RawQuery;
    /** Code of the application reads the answer before it is sent: it comes whole and as it is. */
    isRead?: boolean;
    /** What every answer to this request carries. */
    headers?: AnswerHeaders;
    /** The answer that carries `headers` already. */
    complete?: Response;
  };
}
