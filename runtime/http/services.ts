/** The services of one running server. Handlers find them in the request context. */
import type { PgTable } from "drizzle-orm/pg-core";
import type { Hono } from "hono";
import type { AccountServices } from "../accounts/services.ts";
import type { Secrets } from "../config/secrets.ts";
import type { EventStream } from "../documents/event-stream.ts";
import type { Recorder } from "../documents/recorders.ts";
import type { Media } from "../media/media.ts";
import type { MediaServices } from "../media/receive.ts";
import type { QueueLoad } from "../telemetry/queue-metrics.ts";
import type { CacheControl } from "./frame/cache-control.ts";
import type { ClientAddress } from "./frame/client-address.ts";
import type { Outages } from "./frame/outages.ts";
import type { Readiness } from "./frame/readiness.ts";
import type { ResponseCache } from "./response-cache/response-cache.ts";

/** A part of the server that only some projects have; its code is loaded for those alone. */
export interface Feature {
  /** Its tables in the database. */
  readonly tables: readonly PgTable[];
  /** Its routes, below the prefix of REST. */
  readonly routes?: Pick<Hono, "routes">;
  /** What tells clients of changes. */
  readonly stream?: EventStream;
  /** How much waits for whom. */
  queueLoad?(): Promise<QueueLoad>;
  /** Ends answers that do not end by themselves, before a server stops. */
  drain?(): void;
  /** Begins its work in the background; commands that serve nothing do not call it. Resolves with what ends it. */
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
  /** Undefined where it is off, or the database cannot tell its snapshots. */
  readonly responseCache?: ResponseCache | undefined;
  readonly features: readonly Feature[];
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
}
