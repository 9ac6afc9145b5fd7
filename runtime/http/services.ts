/** What one running server is made of. Handlers reach it through the request context. */
import type { AccountServices } from "../accounts/services.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Media } from "../media/media.ts";
import type { MediaServices } from "../media/receive.ts";
import type { CacheControl } from "./frame/cache-control.ts";
import type { ClientAddress } from "./frame/client-address.ts";
import type { Readiness } from "./frame/readiness.ts";
import type { KeptAnswers } from "./rest/kept.ts";

export interface Services extends AccountServices, MediaServices {
  readonly secrets: Secrets;
  readonly media: Media;
  /** The address that a request comes from, seen through trusted proxies only. */
  readonly clientAddress: ClientAddress;
  readonly readiness: Readiness;
  /** What caches may keep. */
  readonly cacheControl: CacheControl;
  /** Answers to reads that are given again; undefined where none are kept. */
  readonly kept?: KeptAnswers | undefined;
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
}
