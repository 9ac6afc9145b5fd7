/** The headers that every response carries, as the wire contract lists them. */

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

/** The headers of the response to one request: without a content type, and with that of JSON. */
export interface AnswerHeaders {
  readonly all: Headers;
  /** The names and values of `all` in turn. */
  readonly list: readonly string[];
  readonly json: Headers;
}

/** The content type of every JSON response. */
export const JSON_TYPE = { "Content-Type": "application/json; charset=utf-8" };

/** The standard headers together with `others`. Build it once, not for each request. */
export const answerHeaders = (others: Headers): AnswerHeaders => {
  const all = { ...standardHeaders, ...others };
  return { all, list: Object.entries(all).flat(), json: { ...all, ...JSON_TYPE } };
};
