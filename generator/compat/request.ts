/** A read-only request sent to both servers. */
export type CompatRequest = RestRequest | GraphqlRequest;

interface Request<Kind extends string> {
  readonly kind: Kind;
  /** Whether to send it without a token. */
  readonly anonymous?: boolean;
}

export interface RestRequest extends Request<"rest"> {
  /** Includes the query string, but not the host. */
  readonly path: string;
}

export interface GraphqlRequest extends Request<"graphql"> {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Query parameters whose values are secrets. */
const SECRET = /([?&](?:[^=&]*(?:token|secret|password|jwt)[^=&]*|api_?key|code|key|auth)=)[^&#]*/gi;

/** The request's name in reports: its address without secrets. */
export const nameOf = (request: CompatRequest): string =>
  request.kind === "rest"
    ? `GET ${request.path.replaceAll(SECRET, "$1…")}`
    : `query ${request.query.replaceAll(/\s+/g, " ").trim()}`;

/** GET routes with side effects: logins, and links in mails. */
const CHANGES = /\/(?:connect|auth)(?:\/|$|\?)/;

/** A GET request for that address; undefined if it may have side effects, or is not an address. */
export const restRequest = (address: string): RestRequest | undefined => {
  const path = address.replace(/^https?:\/\/[^/]+/i, "").replace(/#.*$/, "");
  return path.startsWith("/") && !path.startsWith("//") && !CHANGES.test(path.split("?")[0] ?? "")
    ? { kind: "rest", path }
    : undefined;
};
