/** The services of one running server, and what handlers find besides them in the context of a request. */
import type { IncomingMessage } from "node:http";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Hono } from "hono";
import type { Caller } from "../access/caller.ts";
import type { AccountServices } from "../accounts/services.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Client } from "../database/database.ts";
import type { EventStream } from "../documents/event-stream.ts";
import type { HookServices } from "../documents/hooks.ts";
import type { Recorder } from "../documents/recorders.ts";
import type { Media } from "../media/media.ts";
import type { FilePlacing, MediaServices } from "../media/receive.ts";
import type { RawQuery } from "../query/index.ts";
import type { ObserveRequest } from "../telemetry/observe.ts";
import type { QueueLoad } from "../telemetry/queue-metrics.ts";
import type { CacheControl } from "./frame/cache-control.ts";
import type { ClientAddress } from "./frame/client-address.ts";
import type { AnswerHeaders } from "./frame/headers.ts";
import type { Outages } from "./frame/outages.ts";
import type { Readiness } from "./frame/readiness.ts";
import type { ResponseCache } from "./response-cache/response-cache.ts";

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

/** An optional part of the server, whose code is loaded only for projects that use it. */
export interface Feature extends FilePlacing {
  /** Its tables in the database. */
  readonly tables: readonly PgTable[];
  /** Its routes, below the prefix of REST. */
  readonly routes?: Pick<Hono, "routes">;
  /** The stream that notifies clients of changes. */
  readonly stream?: EventStream;
  /** Called for each finished request. */
  readonly request?: ObserveRequest;
  /** The backlog of each consumer. */
  queueLoad?(): Promise<QueueLoad>;
  /** Ends open-ended responses before a server stops. */
  drain?(): void;
  /** Starts its background work; only servers call this. Resolves with the function that stops the work. */
  start?(services: Services): Promise<() => Promise<void>>;
}

export interface Services extends AccountServices, MediaServices {
  readonly secrets: Secrets;
  readonly recorders: readonly Recorder[];
  readonly media: Media;
  /** Finds the address of the client, which only trusted proxies may forward. */
  readonly clientAddress: ClientAddress;
  readonly readiness: Readiness;
  /** Logs requests that could not be served. */
  readonly outages: Outages;
  /** The rules for `Cache-Control`; undefined if there are none. */
  readonly cacheControl?: CacheControl;
  /** Undefined if it is off, or if the database cannot report its snapshot. */
  readonly responseCache?: ResponseCache | undefined;
  readonly features: readonly Feature[];
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
  /** The findings of `cms doctor`; undefined in servers that no command runs. */
  readonly examine?: (() => Promise<unknown>) | undefined;
}
