/** Turns errors into answers. */
import type { Context } from "hono";
import { errorEnvelope, HttpError, NotFoundError, RETRY_AFTER } from "../../base/errors.ts";
import { RefusedError, refusedValue, unwrapped } from "../../database/fault.ts";
import { recordOf } from "../../telemetry/request-record.ts";
import type { AppEnv, Services } from "../context.ts";
import { JSON_TYPE } from "./headers.ts";
import type { RouteTable } from "./routes.ts";

const RETRY_LATER = { ...JSON_TYPE, "Retry-After": RETRY_AFTER };
const TEXT_TYPE = { "Content-Type": "text/plain; charset=utf-8" };

/** Adds the request's id, by which operators find the log lines of the request. */
const withRequestId = (c: Context<AppEnv>, error: HttpError): HttpError => {
  const record = recordOf(c.env?.incoming);
  if (error.status < 500 || !record) return error;
  return new HttpError(error.status, error.name, error.message, { ...error.details, requestId: record.id });
};

const answer = (c: Context<AppEnv>, error: HttpError): Response =>
  c.body(
    JSON.stringify(errorEnvelope(withRequestId(c, error))),
    error.status,
    error.status === 503 ? RETRY_LATER : JSON_TYPE,
  );

/** What log lines say about a request. */
const requestOf = (c: Context<AppEnv>) => ({
  requestId: recordOf(c.env?.incoming)?.id,
  method: c.req.method,
  path: c.req.path,
});

/**
 * Answers an error in the contract's envelope. Unexpected errors are logged, and clients learn only that an error
 * occurred.
 */
export const onError =
  ({ log, outages }: Pick<Services, "log" | "outages">) =>
  (thrown: Error, c: Context<AppEnv>): Response => {
    const error = unwrapped(thrown);
    if (error instanceof HttpError) {
      if (error.status >= 500) outages.report(error, requestOf(c));
      if (error instanceof RefusedError) log.warn({ err: error, ...requestOf(c) }, "the database refused a write");
      return answer(c, error);
    }
    const refused = refusedValue(error);
    if (refused) {
      log.warn({ err: error, ...requestOf(c) }, "a value was refused by the database");
      return answer(c, refused);
    }
    log.error({ err: error, ...requestOf(c) }, "a request failed");
    return answer(c, new HttpError(500, "InternalServerError", "Internal Server Error", null));
  };

/**
 * Handles thrown values that are not Errors. Hono handles only Errors; any other value would end the connection without
 * a response.
 */
export const onThrown = (services: Services, thrown: unknown, c: Context<AppEnv>): Response =>
  onError(services)(
    thrown instanceof Error ? thrown : new Error("something was thrown that is no error", { cause: thrown }),
    c,
  );

/** Answers a request for which the project's code returned something other than a response. */
export const noAnswer = (services: Services, c: Context<AppEnv>): Response => {
  // Otherwise Hono would look for headers in what was returned.
  c.res = undefined;
  return onThrown(services, new Error("a handler or middleware has not returned a Response: is a return missing?"), c);
};

/** Answers a request that no route handles: 404 for GET and HEAD, 405 for other known methods, 501 for unknown ones. */
export const onNotFound = (c: Context<AppEnv>, routes: RouteTable): Response => {
  const { method, path } = c.req;
  if (method === "GET" || method === "HEAD") return answer(c, new NotFoundError());
  const allow = { ...TEXT_TYPE, Allow: routes.allow(path) };
  if (method === "OPTIONS") return c.body("", 200, allow);
  if (method === "POST" || method === "PUT" || method === "PATCH" || method === "DELETE") {
    return c.body("Method Not Allowed", 405, allow);
  }
  return c.body("Not Implemented", 501, allow);
};
