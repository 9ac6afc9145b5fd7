/** The headers that every answer carries, as the wire contract lists them. */
import type { Context } from "hono";
import type { AppEnv } from "../context.ts";

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

/** The headers of one request's answer, as they are and with the type of JSON. */
export interface AnswerHeaders {
  readonly all: Headers;
  readonly json: Headers;
}

const JSON_TYPE = { "Content-Type": "application/json; charset=utf-8" };

/** The standard headers with others; build it once, not per request. */
export const answerHeaders = (others: Headers): AnswerHeaders => {
  const all = { ...standardHeaders, ...productHeaders, ...others };
  return { all, json: { ...all, ...JSON_TYPE } };
};

/**
 * Notices headers that a middleware sets itself: only Hono's own answers carry those, so they take the place of the
 * quick ones below.
 */
export const noticeHeaders = (c: Context<AppEnv>): void => {
  const { header } = c;
  c.header = (name: string, value?: string, options?: { readonly append?: boolean }): void => {
    c.set("customized", true);
    header(name, value, options);
  };
};

/**
 * Answers with JSON text. The headers go out as the record that they are: building a Headers object of them would cost
 * as much as reading a document.
 */
export const sendJson = (c: Context<AppEnv>, text: string, status: 200 | 201 = 200): Response => {
  const headers = c.get("headers");
  if (headers === undefined || c.get("customized")) return c.body(text, status, JSON_TYPE);
  const response = new Response(text, { status, headers: headers.json });
  c.set("complete", response);
  return response;
};

/** Gives any other answer the headers that it does not have itself. */
export const completeHeaders = (c: Context<AppEnv>, { all }: AnswerHeaders): void => {
  if (c.res === c.get("complete")) return;
  const missing = Object.entries(all).filter(([name]) => !c.res.headers.has(name));
  try {
    for (const [name, value] of missing) c.res.headers.set(name, value);
  } catch {
    // Headers of redirects and of answers from elsewhere cannot be changed: a copy's can.
    c.res = new Response(c.res.body, c.res);
    for (const [name, value] of missing) c.res.headers.set(name, value);
  }
};
