import type { Part } from "./content.ts";
import { createHttp, type Http, type RequestParts } from "./http.ts";
import type { ClientOptions } from "./options.ts";
import { shown } from "./shown.ts";

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
    const own: Http = {
      ...http,
      request: (method, path, asked) => http.request(method, path, { ...asked, query: shown(asked?.query) }),
    };
    const made: Parts = Object.fromEntries(
      Object.entries<Part<unknown>>(parts).map(([name, part]): readonly unknown[] => [name, part(own)]),
    );
    return { request: http.request, ...made };
  };
