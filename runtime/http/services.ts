/** The services of one running server. Handlers find them in the request context. */
import type { PgTable } from "drizzle-orm/pg-core";
import type { Hono } from "hono";
import type { AccountServices } from "../accounts/services.ts";
import type { Secrets } from "../config/secrets.ts";
import type { EventStream } from "../documents/event-stream.ts";
import type { Recorder } from "../documents/recorders.ts";
import type { Media } from "../media/media.ts";
import type { MediaServices } from "../media/receive.ts";
import type { ObserveRequest } from "../telemetry/observe.ts";
import type { QueueLoad } from "../telemetry/queue-metrics.ts";
import type { CacheControl } from "./frame/cache-control.ts";
import type { ClientAddress } from "./frame/client-address.ts";
import type { Outages } from "./frame/outages.ts";
import type { Readiness } from "./frame/readiness.ts";
import type { ResponseCache } from "./response-cache/response-cache.ts";

/** An optional part of the server, whose code is loaded only for projects that use it. */
export interface Feature {
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
  /** The rules for `Cache-Control`. */
  readonly cacheControl: CacheControl;
  /** Undefined if it is off, or if the database cannot report its snapshot. */
  readonly responseCache?: ResponseCache | undefined;
  readonly features: readonly Feature[];
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
}
