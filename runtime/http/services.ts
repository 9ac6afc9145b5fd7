/** The services of one running server. Handlers find them in the request context. */
import type { AccountServices } from "../accounts/services.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Media } from "../media/media.ts";
import type { MediaServices } from "../media/receive.ts";
import type { CacheControl } from "./frame/cache-control.ts";
import type { ClientAddress } from "./frame/client-address.ts";
import type { Outages } from "./frame/outages.ts";
import type { Readiness } from "./frame/readiness.ts";
import type { ResponseCache } from "./response-cache/response-cache.ts";

export interface Services extends AccountServices, MediaServices {
  readonly secrets: Secrets;
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
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
}
