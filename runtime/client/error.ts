/** A fault in a body: its path, and what is wrong. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly name: string;
  /** The refused value, if the server returns it. */
  readonly value?: unknown;
}

/** The details of an error, besides its message. */
export interface FaultDetails {
  /** Every fault of a body. */
  readonly errors?: readonly Fault[];
  /** The name in a query or body that is not allowed. */
  readonly key?: string;
  /** The path of the name; null at the top level. */
  readonly path?: string | null;
  /** The parameter that it belongs to, such as `filters`. */
  readonly param?: string;
  readonly [name: string]: unknown;
}

/** The parts of a {@link RequestError}. */
export interface Failure {
  readonly status: number;
  readonly name: string;
  readonly message: string;
  readonly details?: FaultDetails | undefined;
  readonly headers?: Headers | undefined;
  readonly cause?: unknown;
}

/**
 * A request that failed. Aborted requests reject with the reason of their signal instead.
 *
 * `name` is that of the server's error (`ValidationError`, `NotFoundError`, …); `NetworkError`, with status 0, if there
 * was no response; `UnexpectedAnswer` if the response does not come from a content server, such as an error page of a
 * proxy.
 */
export class RequestError extends Error {
  readonly status: number;
  readonly details: FaultDetails;
  /** The headers of the response, such as `Retry-After`. */
  readonly headers: Headers;

  constructor({ status, name, message, details = {}, headers = new Headers(), cause }: Failure) {
    super(message, { cause });
    this.name = name;
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

/** The envelope of errors. */
interface Envelope {
  readonly error?: { readonly name?: string; readonly message?: string; readonly details?: FaultDetails };
}

const isEnvelope = (body: unknown): body is Envelope => typeof body === "object" && body !== null && "error" in body;

/** The error for a response. `body` is its parsed body, undefined if that is not JSON. */
export const failureOf = ({ status, statusText, headers }: Response, what: string, body: unknown): RequestError => {
  const error = isEnvelope(body) ? body.error : undefined;
  if (typeof error?.message === "string") {
    const { name = "Error", message, details } = error;
    return new RequestError({ status, name, message, details: details ?? {}, headers });
  }
  const type = headers.get("content-type") ?? "nothing";
  const message = `${what} was answered ${`${status} ${statusText}`.trim()} with ${type}, where JSON was expected`;
  return new RequestError({ status, name: "UnexpectedAnswer", message, headers });
};
