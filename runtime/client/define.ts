import type { Part } from "./content.ts";
import { createHttp, type RequestParts } from "./http.ts";
import type { ClientOptions } from "./options.ts";

/** What every client can do, whatever the content types of its server. */
export interface AnyRequest {
  /**
   * Asks for any path below the prefix, such as a route of an extension, as whoever asks for documents.
   *
   * @returns what the server answers, taken for an `Answer`; undefined where it answers with nothing
   */
  request<Answer>(method: string, path: string, parts?: RequestParts): Promise<Answer>;
}

/** What makes clients of a server, by what it serves: `createClient({ url: "https://cms.example" })`. */
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
