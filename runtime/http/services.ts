/** The services of one running server. Handlers find them in the request context. */
import type { AccountServices } from "../accounts/services.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Media } from "../media/media.ts";
import type { MediaServices } from "../media/receive.ts";
import type { CacheControl } from "./frame/cache-control.ts";
import type { ClientAddress } from "./frame/client-address.ts";
import type { Readiness } from "./frame/readiness.ts";
import type { KeptAnswers, KeptVersions } from "./rest/kept.ts";

export interface Services extends AccountServices, MediaServices {
  readonly secrets: Secrets;
  readonly media: Media;
  /** Finds the address of the client, which only trusted proxies may forward. */
  readonly clientAddress: ClientAddress;
  readonly readiness: Readiness;
  /** The rules for `Cache-Control`. */
  readonly cacheControl: CacheControl;
  /** The cache of answers to reads; undefined where it is off. */
  readonly kept?: KeptAnswers | undefined;
  /** Which versions answers to reads were; undefined where whole answers are cached. */
  readonly versions?: KeptVersions | undefined;
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
}
