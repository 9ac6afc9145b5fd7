/** The headers that every answer carries, as the wire contract lists them. */
import type { Context } from "hono";
import type { AppEnv } from "../rest/context.ts";

export type Headers = Readonly<Record<string, string>>;

const contentSecurityPolicy = [
  "connect-src 'self' https:",
  "img-src 'self' data: blob: https://market-assets.strapi.io",
  "media-src 'self' data: blob:",
  "default-src 'self'",
  "base-uri 'self'",
  "font-src 'self' https: data:",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "object-src 'none'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self' https: 'unsafe-inline'",
].join(";");

export const standardHeaders: Headers = {
  "Content-Security-Policy": contentSecurityPolicy,
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "X-DNS-Prefetch-Control": "off",
  "X-Download-Options": "noopen",
  "X-Frame-Options": "SAMEORIGIN",
  "X-Permitted-Cross-Domain-Policies": "none",
  Vary: "Origin",
};

/** On every answer but those to preflights. Part of the wire format: monitors and clients recognise the API by it. */
export const productHeaders: Headers = { "X-Powered-By": "Strapi <strapi.io>" };

/** Sets headers before anything has answered; afterwards it would cost the server its fast path. */
export const setHeaders = (c: Context<AppEnv>, headers: Headers): void => {
  for (const name in headers) c.header(name, headers[name]);
};
