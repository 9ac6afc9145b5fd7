import type { IncomingMessage } from "node:http";
import type { Caller } from "../access/caller.ts";
import type { Client } from "../database/database.ts";
import type { HookServices } from "../documents/hooks.ts";
import type { RawQuery } from "../query/index.ts";
import type { AnswerHeaders } from "./frame/headers.ts";
import type { Services } from "./services.ts";

/** The client that sent a request. */
export interface WaitingClient extends Client {
  /** Restarts the time limit for the response. */
  restart(): void;
}

/** What handlers find in the request context: set before any route runs. */
export interface AppEnv {
  Bindings: {
    /** The request as Node has it; absent when a test calls the application without a server. */
    incoming?: IncomingMessage;
  };
  Variables: {
    services: Services;
    caller: Caller;
    /** The waiting client; undefined when a test calls the application without a server. */
    client?: WaitingClient | undefined;
    /** The parsed body of a request that may write; undefined if it has none, or one of a type that we do not parse. */
    body: unknown;
    /** The query string, parsed by the schema of the route. */
    query?: unknown;
    /** Query parameters that the route adds to those of the client. */
    added?: RawQuery;
    /** Whether application code reads the response before it is sent: then it must be neither compressed nor a 304. */
    isRead?: boolean;
    /** The headers of every response to this request. */
    headers?: AnswerHeaders;
    /** The response to which `headers` have already been added. */
    complete?: Response;
  };
}

/** The same for the application's routes, policies and middlewares, with the services that its hooks get. */
export interface RouteEnv extends Pick<AppEnv, "Bindings"> {
  Variables: Omit<AppEnv["Variables"], "services"> & { services: HookServices };
}
