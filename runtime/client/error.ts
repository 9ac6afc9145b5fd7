/** One fault of a body: where it is, and what is wrong. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly name: string;
  /** What was sent, where the server repeats it. */
  readonly value?: unknown;
}

/** What a server says of a refusal besides its message. */
export interface FaultDetails {
  /** Every fault of a body. */
  readonly errors?: readonly Fault[];
  /** The name in a query or body that is not allowed. */
  readonly key?: string;
  /** Where the name stands; null at the top. */
  readonly path?: string | null;
  /** The parameter that it belongs to, such as `filters`. */
  readonly param?: string;
  readonly [name: string]: unknown;
}

/** What {@link RequestError} is made of. */
export interface Failure {
  readonly status: number;
  readonly name: string;
  readonly message: string;
  readonly details?: FaultDetails | undefined;
  readonly headers?: Headers | undefined;
  readonly cause?: unknown;
}

/**
 * A request that was not answered as it should be. What was aborted rejects with the reason of its signal instead.
 *
 * `name` is that of the server's error (`ValidationError`, `NotFoundError`, …); `NetworkError`, with status 0, where no
 * answer came; `UnexpectedAnswer` where the answer is not that of a content server, such as the page of a proxy.
 */
export class RequestError extends Error {
  readonly status: number;
  readonly details: FaultDetails;
  /** Those of the answer, such as `Retry-After`. */
  readonly headers: Headers;

  constructor({ status, name, message, details = {}, headers = new Headers(), cause }: Failure) {
    super(message, { cause });
    this.name = name;
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

/** The envelope that errors come in. */
interface Envelope {
  readonly error?: { readonly name?: string; readonly message?: string; readonly details?: FaultDetails };
}

const isEnvelope = (body: unknown): body is Envelope => typeof body === "object" && body !== null && "error" in body;

/** The error that an answer is. `body` is what was read of it, undefined where that is no JSON. */
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
