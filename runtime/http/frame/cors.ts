/**
 * CORS headers. If the server reads no cookie, every allowed origin may send credentials, since browsers have none to
 * add. If it does, only origins that the configuration lists may send them.
 */
import type { Config } from "../../config/config.ts";
import { takesCookies } from "../../config/cookies.ts";
import { type AnswerHeaders, answerHeaders, type Headers } from "./headers.ts";

/** Headers that every page may send, and those that it may send if it asks for them. */
const ALLOWED = "Content-Type,Authorization,Origin,Accept";
const ON_DEMAND = [
  "Strapi-Response-Format",
  "Apollo-Require-Preflight",
  "X-Apollo-Operation-Name",
  "If-Match",
  "Last-Event-ID",
];

const onDemand = (asked = ""): readonly string[] => {
  const names = new Set(asked.split(",").map((name) => name.trim().toLowerCase()));
  return ON_DEMAND.filter((name) => names.has(name.toLowerCase()));
};

/**
 * Computes the rules from the configuration. `*` in `server.cors.origins` allows every origin. Responses then repeat
 * the request's origin, as clients of this wire format expect, if the server reads no cookie; otherwise they say `*`,
 * with which browsers do not send credentials.
 */
export const createCors = (config: Pick<Config, "server" | "auth">) => {
  const { cors, poweredBy } = config.server;
  const { origins, credentials, maxAge } = cors;
  const isStrict = takesCookies(config);
  const product: Headers = poweredBy === undefined ? {} : { "X-Powered-By": poweredBy };
  const named = (origin: string, withCredentials: boolean): AnswerHeaders =>
    answerHeaders({
      ...product,
      "Access-Control-Allow-Origin": origin,
      ...(withCredentials ? { "Access-Control-Allow-Credentials": "true" } : {}),
    });
  const refused = named("", false);
  const any = named("*", false);
  const listed = new Set(origins);
  const unlisted = (origin: string): AnswerHeaders => {
    if (!listed.has("*")) return refused;
    return isStrict ? any : named(origin, true);
  };
  const headers = (origin: string): AnswerHeaders =>
    listed.has(origin) ? named(origin, credentials || !isStrict) : unlisted(origin);
  const preflight: Headers = {
    "Access-Control-Max-Age": String(maxAge),
    "Access-Control-Allow-Methods": "GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS",
  };
  // Whether this origin may ask for the refresh token in a cookie: only these origins can read the response.
  const mayAskForCookie = (origin: string): boolean => isStrict && credentials && listed.has(origin);
  return {
    /** All headers for the response to a request with this `Origin`, and to one without. */
    headers,
    withoutOrigin: refused,
    /** The headers for a response without CORS headers. */
    plain: answerHeaders(product),
    /**
     * Headers of the response to a preflight.
     *
     * @param asked the names of headers that the browser asks for (`Access-Control-Request-Headers`)
     */
    preflight(origin: string, asked: string | undefined): Headers {
      const { "X-Powered-By": _product, ...others } = headers(origin).all;
      const cookie = mayAskForCookie(origin) ? ["X-Strapi-Refresh-Cookie"] : [];
      const allowed = [ALLOWED, ...cookie, ...onDemand(asked)].join(",");
      return { ...others, ...preflight, "Access-Control-Allow-Headers": allowed };
    },
  };
};

export type Cors = ReturnType<typeof createCors>;
