/** A request that both servers are sent. It reads, and nothing else. */
export type CompatRequest = RestRequest | GraphqlRequest;

interface Request<Kind extends string> {
  readonly kind: Kind;
  /** Whether it is sent without a token. */
  readonly anonymous?: boolean;
}

export interface RestRequest extends Request<"rest"> {
  /** With its query string, and without a host. */
  readonly path: string;
}

export interface GraphqlRequest extends Request<"graphql"> {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

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
