/** Cross-origin answers. An origin is allowed credentials only when the configuration lists it. */
import type { Config } from "../config.ts";
import type { Headers } from "./headers.ts";

export interface Cors {
  /** Headers of an answer to a request with this `Origin`, undefined when it had none. */
  headers(origin: string | undefined): Headers;
  /** Additional headers of the answer to a preflight. */
  readonly preflight: Headers;
}

/**
 * Builds the rules once from `server.cors`. `*` allows every origin, without credentials: an origin is only ever
 * repeated with `Access-Control-Allow-Credentials` when it stands in `origins` itself.
 */
export const createCors = ({ origins, credentials, maxAge }: Config["server"]["cors"]): Cors => {
  const any: Headers = { "Access-Control-Allow-Origin": "*" };
  const none: Headers = { "Access-Control-Allow-Origin": "", "Access-Control-Allow-Credentials": "true" };
  const listed = new Map<string, Headers>(
    origins
      .filter((origin) => origin !== "*")
      .map((origin) => [
        origin,
        {
          "Access-Control-Allow-Origin": origin,
          ...(credentials ? { "Access-Control-Allow-Credentials": "true" } : {}),
        },
      ]),
  );
  const others = origins.includes("*") ? any : { "Access-Control-Allow-Origin": "" };
  return {
    headers: (origin) => (origin === undefined ? none : (listed.get(origin) ?? others)),
    preflight: {
      "Access-Control-Max-Age": String(maxAge),
      "Access-Control-Allow-Methods": "GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS",
      "Access-Control-Allow-Headers": "Content-Type,Authorization,Origin,Accept",
    },
  };
};
