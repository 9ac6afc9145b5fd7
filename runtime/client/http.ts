/** Sends requests with the user's tokens or an API token, and reads the responses. */
import { failureOf, RequestError } from "./error.ts";
import type { ClientOptions, RequestOptions, Send } from "./options.ts";
import { encode, queryString } from "./query-string.ts";
import { memoryStore, renewal, type Session, type SessionStore } from "./session.ts";

/** The parts of a request besides method and path. */
export interface RequestParts {
  readonly query?: object | undefined;
  /** The body; sent as JSON unless it is a form. */
  readonly body?: unknown;
  readonly options?: RequestOptions | undefined;
}

/** The parts of requests by the client's own routes. */
export interface InternalParts extends RequestParts {
  /** Sends no token. For requests that obtain tokens, whether or not the current one is valid. */
  readonly anonymous?: boolean;
  readonly send?: Send | undefined;
}

/** What the parts of a client use to send requests. */
export interface Http {
  /** Sends a request below the prefix. The response is assumed to be an `Answer`; undefined if it is empty. */
  request<Answer>(method: string, path: string, parts?: InternalParts): Promise<Answer>;
  /** Sends a complete request. */
  readonly send: Send;
  /** The address of a path below the prefix. */
  address(path: string): string;
  readonly store: SessionStore;
  /** The session in a response about tokens. */
  sessionIn(answer: Partial<Session>): Session | undefined;
  /** Exchanges a session for the next one, unless that has already happened. */
  renew(session: Session | undefined): Promise<Session | undefined>;
}

/**
 * Encodes an id as a single path segment, whatever it contains.
 *
 * @throws a 404 for an id that would change the path
 */
export const segment = (id: string | number): string => {
  const text = String(id);
  if (/^\.{0,2}$/.test(text)) throw new RequestError({ status: 404, name: "NotFoundError", message: "Not Found" });
  return encode(text);
};

const merged = (...all: readonly (RequestOptions | undefined)[]): Headers => {
  const headers = new Headers();
  for (const options of all) new Headers(options?.headers).forEach((value, name) => headers.set(name, value));
  return headers;
};

/** Parses JSON; undefined if the text is not valid. */
const parsed = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The options of one request for `fetch`. */
const initOf = (
  { cookies = false, init }: ClientOptions,
  method: string,
  path: string,
  { body, options }: InternalParts,
  bearer: string | undefined,
): RequestInit => {
  const headers = merged(init, options);
  if (bearer !== undefined && !headers.has("authorization")) headers.set("authorization", `Bearer ${bearer}`);
  // `fetch` sets this header itself, with the boundary of the form.
  if (body instanceof FormData) headers.delete("content-type");
  else if (body !== undefined) headers.set("content-type", "application/json");
  return {
    ...init,
    ...options,
    ...(cookies && path.startsWith("/auth/") ? { credentials: "include" } : {}),
    method,
    headers,
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  };
};

/** Sends a request, and reads the text of its response. */
const answered = async (send: Send, address: string, init: RequestInit, what: string) => {
  try {
    const response = await send(address, init);
    return { response, text: await response.text() };
  } catch (cause) {
    // Otherwise reading the response would reject with an error of its own.
    init.signal?.throwIfAborted();
    throw new RequestError({ status: 0, name: "NetworkError", message: `${what} was not answered`, cause });
  }
};

/** Creates the sender of requests to the server of `options`. */
export const createHttp = (options: ClientOptions): Http => {
  const { url, prefix = "/api", token, cookies = false } = options;
  const store = options.session ?? memoryStore();
  const base = `${url.replace(/\/+$/, "")}${prefix}`;

  const direct: Send = (address, parts) => (options.fetch ?? fetch)(address, parts);

  const request = async <Answer>(method: string, path: string, parts: InternalParts = {}): Promise<Answer> => {
    const what = `${method} ${prefix}${path}`;
    const search = queryString(parts.query ?? {});
    const ask = (bearer: string | undefined) =>
      answered(
        parts.send ?? direct,
        `${base}${path}${search && `?${search}`}`,
        initOf(options, method, path, parts, bearer),
        what,
      );
    const session = parts.anonymous ? undefined : await store.get();
    const own = parts.anonymous || session ? undefined : typeof token === "function" ? await token() : token;
    let { response, text } = await ask(session?.jwt ?? own);
    const next = response.status === 401 && session ? await renew(session) : undefined;
    if (next) ({ response, text } = await ask(next.jwt));
    const body = parsed(text);
    if (!response.ok || (body === undefined && text !== "")) throw failureOf(response, what, body);
    return body;
  };

  const sessionIn = ({ jwt, refreshToken }: Partial<Session>): Session | undefined =>
    jwt === undefined ? undefined : { jwt, ...(cookies || !refreshToken ? {} : { refreshToken }) };

  const renew = renewal(store, async (session) => {
    const refreshToken = session?.refreshToken;
    if (refreshToken === undefined && !cookies) return undefined;
    return sessionIn(await request<Session>("POST", "/auth/refresh", { body: { refreshToken }, anonymous: true }));
  });

  return { request, send: direct, address: (path) => `${base}${path}`, store, sessionIn, renew };
};
