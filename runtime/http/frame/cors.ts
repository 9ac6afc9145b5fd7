/**
 * Cross-origin answers. Where the server takes no cookie, credentials mean nothing and every allowed origin may send them;
 * where it does, an origin is allowed credentials only when the configuration lists it.
 */
import type { Config } from "../../config/config.ts";
import { takesCookies } from "../../config/cookies.ts";
import { type AnswerHeaders, answerHeaders, type Headers } from "./headers.ts";

export interface Cors {
  /** Headers of an answer to a request with this `Origin`, undefined when it had none; the standard ones among them. */
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
 * Builds the rules once. `*` in `server.cors.origins` allows every origin: by its name, as clients of this wire format
 * expect, while no cookie can be read with it; else by `*`, which browsers never combine with credentials.
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
  // Asks for the refresh token in a cookie, which only these origins can read answers to.
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
