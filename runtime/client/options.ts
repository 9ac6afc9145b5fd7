import type { SessionStore } from "./session.ts";

/** How a request is sent: `fetch`, or what takes its place. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Where a server is, and who asks it. */
export interface ClientOptions {
  /** The address of the server: `https://cms.example`. Empty for that of the page. */
  readonly url: string;
  /** Where REST is below it; `/api` by default. */
  readonly prefix?: string;
  /** An API token, or how to get one. Whoever has logged in asks as a user instead. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Where the tokens of whoever logs in are kept; in memory by default. */
  readonly session?: SessionStore;
  /** Refresh tokens travel in a cookie that scripts cannot read, as servers with `auth.sessions.httpOnly` have it. */
  readonly cookies?: boolean;
  /** What sends requests; the global `fetch` by default. */
  readonly fetch?: Send;
  /** What all requests have in common: headers, `cache`, `credentials`. */
  readonly init?: RequestOptions;
}

/** What one request has besides: an abort signal, headers, and whatever else the platform's `fetch` takes. */
export type RequestOptions = Omit<RequestInit, "method" | "body">;
