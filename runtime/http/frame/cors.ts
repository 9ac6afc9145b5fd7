/**
 * CORS headers. If the server reads no cookie, every allowed origin may send credentials, since browsers have none to
 * add. If it does, only origins that the configuration lists may send them.
 */
import type { Config } from "../../config/config.ts";
import { takesCookies } from "../../config/cookies.ts";
import { type AnswerHeaders, answerHeaders, type Headers } from "./headers.ts";

export interface Cors {
  /**
   * The headers for an answer to a request with this `Origin` (undefined if it had none), standard headers included.
   */
  headers(origin: string | undefined): AnswerHeaders;
  /** Headers of the answer to a preflight. */
  preflight(origin: string): Headers;
}

const named = (origin: string, withCredentials: boolean): AnswerHeaders =>
  answerHeaders({
    "Access-Control-Allow-Origin": origin,
    ...(withCredentials ? { "Access-Control-Allow-Credentials": "true" } : {}),
  });

/**
 * Computes the rules from the configuration. `*` in `server.cors.origins` allows every origin. The answer then repeats
 * the request's origin, as clients of this wire format expect, if the server reads no cookie; otherwise it says `*`,
 * with which browsers do not send credentials.
 */
export const createCors = (config: Pick<Config, "server" | "auth">): Cors => {
  const { origins, credentials, maxAge } = config.server.cors;
  const isStrict = takesCookies(config);
  const none = named("", true);
  const refused = named("", false);
  const any = named("*", false);
  const listed = new Set(origins);
  const unlisted = (origin: string): AnswerHeaders => {
    if (!listed.has("*")) return refused;
    return isStrict ? any : named(origin, true);
  };
  const headers = (origin: string | undefined): AnswerHeaders => {
    if (origin === undefined) return none;
    return listed.has(origin) ? named(origin, credentials || !isStrict) : unlisted(origin);
  };
  const allowed = "Content-Type,Authorization,Origin,Accept";
  const preflight: Headers = {
    "Access-Control-Max-Age": String(maxAge),
    "Access-Control-Allow-Methods": "GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS",
    "Access-Control-Allow-Headers": allowed,
  };
  // Whether this origin may ask for the refresh token in a cookie: only these origins can read the answer.
  const mayAskForCookie = (origin: string): boolean => isStrict && credentials && listed.has(origin);
  return {
    headers,
    preflight(origin) {
      const { "X-Powered-By": _product, ...others } = headers(origin).all;
      const cookie = mayAskForCookie(origin)
        ? { "Access-Control-Allow-Headers": `${allowed},X-Strapi-Refresh-Cookie` }
        : {};
      return { ...others, ...preflight, ...cookie };
    },
  };
};
