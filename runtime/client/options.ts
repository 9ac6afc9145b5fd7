import type { SessionStore } from "./session.ts";

/** Sends a request: `fetch`, or a replacement. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** The server of a client, and the client's credentials. */
export interface ClientOptions {
  /** The address of the server: `https://cms.example`. Empty for the server of the page. */
  readonly url: string;
  /** The prefix of the REST API; `/api` by default. */
  readonly prefix?: string;
  /** An API token, or a function that returns one. After a login, requests carry the user's token instead. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Where to store the tokens of a login; in memory by default. */
  readonly session?: SessionStore;
  /** Whether refresh tokens are in a cookie that scripts cannot read: for servers with `auth.sessions.httpOnly`. */
  readonly cookies?: boolean;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: Send;
  /** Options of all requests: headers, `cache`, `credentials`. */
  readonly init?: RequestOptions;
}

/** Options of one request: an abort signal, headers, and anything else that the platform's `fetch` takes. */
export type RequestOptions = Omit<RequestInit, "method" | "body">;
