/** Errors that an answer may show. Names, statuses and default messages are the wire contract's. */
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** What an error tells a client beyond its message: `error.details` of the answer. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error with a status and a name that clients may see; `details` is left out of the answer when null. */
export class HttpError extends Error {
  readonly status: ContentfulStatusCode;
  readonly details: ErrorDetails | null;

  constructor(status: ContentfulStatusCode, name: string, message: string, details: ErrorDetails | null = {}) {
    super(message);
    this.status = status;
    this.name = name;
    this.details = details;
  }
}

const kind = (status: ContentfulStatusCode, name: string, standard: string) =>
  class extends HttpError {
    constructor(message: string = standard, details: ErrorDetails | null = {}) {
      super(status, name, message, details);
    }
  };

/** 400: the request makes sense and cannot be done. */
export class ApplicationError extends kind(400, "ApplicationError", "An application error occurred") {}
/** 400: a value or a query parameter is not valid; `details.errors` lists each with its path. */
export class ValidationError extends kind(400, "ValidationError", "Validation error") {}
/** 400: parameters of pagination that contradict each other. */
export class PaginationError extends kind(400, "PaginationError", "Invalid pagination") {}
/** 400: the request as such cannot be read. */
export class BadRequestError extends kind(400, "BadRequestError", "Bad Request") {}
/** 401: no credential, or one that is not valid. */
export class UnauthorizedError extends kind(401, "UnauthorizedError", "Unauthorized") {}
/** 403: the caller may not do this. */
export class ForbiddenError extends kind(403, "ForbiddenError", "Forbidden") {}
/** 403: a policy refused. */
export class PolicyError extends kind(403, "PolicyError", "Policy Failed") {}
/** 404: there is no such thing, or none that the caller may see. */
export class NotFoundError extends kind(404, "NotFoundError", "Not Found") {}
/** 413: a body or file beyond its limit. */
export class PayloadTooLargeError extends kind(413, "PayloadTooLargeError", "Entity too large") {}
/** 429: too many requests of one address. */
export class RateLimitError extends kind(429, "RateLimitError", "Too many requests, please try again later.") {}
/** Seconds after which to ask again, beside a 503: what is away is often back soon. */
export const RETRY_AFTER = "1";

/** 503: something that the server depends on, such as the database, is away. */
export class ServiceUnavailableError extends kind(503, "ServiceUnavailableError", "Service Unavailable") {}

/** 503, to nobody: whoever asked has left. */
export class AbandonedError extends ServiceUnavailableError {}

/** The body of an error answer. */
export const errorEnvelope = (error: HttpError) => ({
  data: null,
  error: {
    status: error.status,
    name: error.name,
    message: error.message,
    ...(error.details === null ? {} : { details: error.details }),
  },
});

/** The source of a query parameter or body key that is refused. */
export interface KeyLocation {
  readonly source: "query" | "body";
  readonly param?: string;
  /** Where the key stands; null for a key that does not exist at all. */
  readonly path: string | null;
}

/** `Invalid key foo at category`, with the details that clients read. */
export const invalidKey = (key: string, { path, source, param }: KeyLocation): ValidationError =>
  new ValidationError(path === null || path === key ? `Invalid key ${key}` : `Invalid key ${key} at ${path}`, {
    key,
    path,
    source,
    ...(param === undefined ? {} : { param }),
  });
