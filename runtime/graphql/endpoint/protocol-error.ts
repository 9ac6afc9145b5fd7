interface ProtocolErrorOptions {
  readonly code?: string;
  /** The methods to use instead, with status 405. */
  readonly allow?: string;
}

/** A request that is no operation, and how it is answered. */
export class ProtocolError extends Error {
  readonly status: 200 | 400 | 405 | 406;
  readonly code: string;
  readonly allow: string | undefined;

  constructor(
    status: 200 | 400 | 405 | 406,
    message: string,
    { code = "BAD_REQUEST", allow }: ProtocolErrorOptions = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.allow = allow;
  }
}
