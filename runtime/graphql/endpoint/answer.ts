/** Formats responses and errors for clients. Errors that are not meant for clients are logged instead. */
import { GraphQLError, type ExecutionResult, type GraphQLFormattedError } from "graphql";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import {
  ForbiddenError,
  HttpError,
  PolicyError,
  RETRY_AFTER,
  UnauthorizedError,
  ValidationError,
} from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { RefusedError, refusedValue, unwrapped } from "../../database/fault.ts";
import type { Reply } from "../../http/frame/read-answer.ts";
import type { RequestRecord } from "../../telemetry/request-record.ts";
import { WrittenResult } from "../execution/ready-answer.ts";
import type { GraphqlFormat } from "../operations/operations.ts";

export interface Answer {
  readonly status: ContentfulStatusCode;
  /** JSON text. */
  readonly body: string;
  /** The operation that ran. */
  readonly operation?: RequestRecord["operation"];
  /** Whether the same request gets the same response until something is committed to the database. */
  readonly isStorable?: boolean;
}

/** @param type the content type */
export const replyOf = ({ status, body }: Answer, type: string): Reply => ({
  status,
  headers: { "Content-Type": type, ...(status === 503 ? { "Retry-After": RETRY_AFTER } : {}) },
  body,
});

/** The response to a request that was not executed. */
export const refusal = (errors: readonly GraphQLFormattedError[], status: ContentfulStatusCode = 400): Answer => ({
  status,
  body: JSON.stringify({ errors }),
});

type Formatted = Pick<ExecutionResult, "extensions"> & {
  readonly errors: readonly GraphQLFormattedError[] | undefined;
};

/** The response body for an operation that was executed. */
export const bodyOf = (result: ExecutionResult, { errors, extensions = {} }: Formatted): string => {
  const data = result instanceof WrittenResult ? result.text : JSON.stringify(result.data ?? null);
  const faults = errors ? `"errors":${JSON.stringify(errors)},` : "";
  const more = Object.keys(extensions).length > 0 ? `,"extensions":${JSON.stringify(extensions)}` : "";
  return `{${faults}"data":${data}${more}}`;
};

/** `NotFoundError` -> `STRAPI_NOT_FOUND_ERROR`: the names that clients of this schema look for. */
const codeOf = (error: HttpError): string => {
  if (error instanceof ForbiddenError || error instanceof UnauthorizedError || error instanceof PolicyError) {
    return "FORBIDDEN";
  }
  if (error instanceof ValidationError) return "BAD_USER_INPUT";
  const words = error.name.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  return `STRAPI_${words}`;
};

const isVariableError = (error: GraphQLError): boolean =>
  error.path === undefined && error.message.startsWith('Variable "$');

/** The entity format has shorter errors: the key alone, and faults without the wrong values. */
const inEntityFormat = ({ message, details }: HttpError): Pick<HttpError, "message" | "details"> => {
  const [, key] = /^Invalid key (\S+)(?: at .*)?$/.exec(message) ?? [];
  if (key !== undefined) return { message: `Invalid parameter ${key}`, details: {} };
  const faults: unknown = details?.["errors"];
  if (!Array.isArray(faults)) return { message, details };
  return { message, details: { ...details, errors: faults.map(withoutValue) } };
};

const withoutValue = (fault: unknown): unknown => {
  if (typeof fault !== "object" || fault === null || !("value" in fault)) return fault;
  const { value: _wrong, ...rest } = fault;
  return rest;
};

/** Formats a refusal. */
export const formatHttpError = (error: HttpError, format: GraphqlFormat): GraphQLFormattedError => {
  const { name } = error;
  const { message, details } = format === "entity" ? inEntityFormat(error) : error;
  return { message, extensions: { error: { name, message, details: details ?? {} }, code: codeOf(error) } };
};

/** The executor's message for a required attribute without a value, which drafts may have. */
const NULL_IN_ANSWER = /^Cannot return null for non-nullable field \w+\.\w+\.$/;

/** The first error that kept the operation from being carried out. */
export const failureOf = (errors: readonly GraphQLError[] = []): HttpError | undefined =>
  errors
    .flatMap(({ originalError }) => {
      const cause = unwrapped(originalError);
      return cause instanceof HttpError ? cause : [];
    })
    .find(({ status }) => status >= 500);

/** Formats an error that occurred while an operation ran. */
export const formatExecutionError = (
  error: GraphQLError,
  format: GraphqlFormat,
  log: Logger,
): GraphQLFormattedError => {
  const cause = unwrapped(error.originalError);
  const refusal = cause instanceof HttpError ? cause : refusedValue(cause);
  if (refusal) {
    if (refusal instanceof RefusedError) log.warn({ err: refusal, path: error.path }, "the database refused a write");
    return { ...formatHttpError(refusal, format), ...(error.path ? { path: error.path } : {}) };
  }
  if (isVariableError(error)) return withCode(error, "BAD_USER_INPUT");
  // The executor itself threw it, about a value or an operation, so it contains nothing private.
  if (cause === undefined || cause instanceof GraphQLError || NULL_IN_ANSWER.test(error.message))
    return withCode(error, "INTERNAL_SERVER_ERROR");
  log.error({ err: cause, path: error.path }, "a resolver failed");
  return {
    message: "Internal Server Error",
    ...(error.path ? { path: error.path } : {}),
    extensions: { code: "INTERNAL_SERVER_ERROR" },
  };
};

/** Removes " Did you mean …?", which would reveal the names in the schema one by one. */
export const withoutSuggestion = <Fault extends { readonly message: string }>(error: Fault): Fault => ({
  ...error,
  message: error.message.replace(/ Did you mean [^?]*\?$/, ""),
});

/** An error with a code of ours, unless it carries one. */
export const withCode = (error: GraphQLError, code: string): GraphQLFormattedError => {
  const { message, locations, path, extensions: { http: _status, ...extensions } = {} } = error.toJSON();
  return {
    message,
    ...(locations ? { locations } : {}),
    ...(path ? { path } : {}),
    extensions: { code, ...extensions },
  };
};
