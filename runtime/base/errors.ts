/** Errors that a response may show. Names, statuses and default messages come from the wire contract. */
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** What an error tells a client beyond its message: `error.details` of the response. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error with a status and a name that clients may see; the response omits `details` if it is null. */
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

/** 400: the request is valid but cannot be carried out. */
export class ApplicationError extends kind(400, "ApplicationError", "An application error occurred") {}
/** 400: a value or a query parameter is not valid; `details.errors` lists each with its path. */
export class ValidationError extends kind(400, "ValidationError", "Validation error") {}
/** 400: the pagination parameters contradict each other. */
export class PaginationError extends kind(400, "PaginationError", "Invalid pagination") {}
/** 400: the request cannot be parsed. */
export class BadRequestError extends kind(400, "BadRequestError", "Bad Request") {}
/** 401: the credential is missing or invalid. */
export class UnauthorizedError extends kind(401, "UnauthorizedError", "Unauthorized") {}
/** 403: the caller may not do this. */
export class ForbiddenError extends kind(403, "ForbiddenError", "Forbidden") {}
/** 403: a policy denied the request. */
export class PolicyError extends kind(403, "PolicyError", "Policy Failed") {}
/** 404: the resource does not exist, or the caller may not see it. */
export class NotFoundError extends kind(404, "NotFoundError", "Not Found") {}
/** 412: the document has changed since the client read it. */
export class PreconditionFailedError extends kind(
  412,
  "PreconditionFailedError",
  "The document has been changed since it was read",
) {}
/** 413: a body or file is larger than its limit. */
export class PayloadTooLargeError extends kind(413, "PayloadTooLargeError", "Entity too large") {}
/** 429: too many requests from one address. */
export class RateLimitError extends kind(429, "RateLimitError", "Too many requests, please try again later.") {}
/** Seconds to send as `Retry-After` with a 503, whose cause is often temporary. */
export const RETRY_AFTER = "1";

/** 503: a service that the server needs, such as the database, is not available. */
export class ServiceUnavailableError extends kind(503, "ServiceUnavailableError", "Service Unavailable") {}

/** The client has disconnected, or was. The status is 503, but nobody receives the response. */
export class AbandonedError extends ServiceUnavailableError {}

/** The body of an error response. */
export const errorEnvelope = (error: HttpError) => ({
  data: null,
  error: {
    status: error.status,
    name: error.name,
    message: error.message,
    ...(error.details === null ? {} : { details: error.details }),
  },
});

/** Where a rejected query parameter or body key is. */
export interface KeyLocation {
  readonly source: "query" | "body";
  readonly param?: string;
  /** The path of the key; null for a key that does not exist anywhere. */
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
