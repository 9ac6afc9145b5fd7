import type { Part } from "./content.ts";
import { createHttp, type RequestParts } from "./http.ts";
import type { ClientOptions } from "./options.ts";

/** Requests that every client can send, regardless of its server's content types. */
export interface AnyRequest {
  /**
   * Sends a request to any path below the prefix, such as a route of an extension, with the same credentials as other
   * requests.
   *
   * @returns the response, which is assumed to be an `Answer`; undefined if it is empty
   */
  request<Answer>(method: string, path: string, parts?: RequestParts): Promise<Answer>;
}

/**
 * Creates the function that makes clients for a server with these parts: `createClient({ url: "https://cms.example"
 * })`.
 */
export const defineClient =
  <Parts extends object>(parts: { readonly [Name in keyof Parts]: Part<Parts[Name]> }) =>
  (options: ClientOptions): AnyRequest & Parts => {
    const http = createHttp(options);
    const made: Parts = Object.fromEntries(
      Object.entries<Part<unknown>>(parts).map(([name, part]): readonly unknown[] => [name, part(http)]),
    );
    const { request } = http;
    return { request, ...made };
  };
