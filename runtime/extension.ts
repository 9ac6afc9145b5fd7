/** What `content-types/<name>/extension.ts` may export: code of the user's that the generator never writes. */
import type { Hono } from "hono";
import type { AppEnv } from "./rest/context.ts";

export interface Extension {
  /** Routes of the user's own, below the REST prefix, tried before the generated ones. */
  routes?(router: Hono<AppEnv>): void;
}

export const defineExtension = (extension: Extension): Extension => extension;
