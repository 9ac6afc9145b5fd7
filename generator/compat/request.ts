/** A question that both servers are asked. It reads, and nothing else. */
export interface RestRequest {
  readonly kind: "rest";
  /** With its query string, and without a host. */
  readonly path: string;
  /** Whether it is sent without a token. */
  readonly anonymous?: boolean;
}

export interface GraphqlRequest {
  readonly kind: "graphql";
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly anonymous?: boolean;
}

export type CompatRequest = RestRequest | GraphqlRequest;

/** Names of parameters whose values are secrets. */
const SECRET = /([?&](?:[^=&]*(?:token|secret|password|jwt)[^=&]*|api_?key|code|key|auth)=)[^&#]*/gi;

/** How the request is called in reports: without secrets that stand in its address. */
export const nameOf = (request: CompatRequest): string =>
  request.kind === "rest"
    ? `GET ${request.path.replaceAll(SECRET, "$1…")}`
    : `query ${request.query.replaceAll(/\s+/g, " ").trim()}`;

/** Routes that answer GET and change something: logins, and links in mails. */
const CHANGES = /\/(?:connect|auth)(?:\/|$|\?)/;

/** A GET of that address as a request; undefined where it may change something, or is no address. */
export const restRequest = (address: string): RestRequest | undefined => {
  const path = address.replace(/^https?:\/\/[^/]+/i, "").replace(/#.*$/, "");
  return path.startsWith("/") && !path.startsWith("//") && !CHANGES.test(path.split("?")[0] ?? "")
    ? { kind: "rest", path }
    : undefined;
};
