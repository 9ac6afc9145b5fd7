/** What an operation comes to, as it is sent. */
import type { ExecutionResult, GraphQLFormattedError } from "graphql";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { RETRY_AFTER } from "../../base/errors.ts";
import type { Reply } from "../../http/frame/read-answer.ts";
import { WrittenResult } from "../execution/written-result.ts";

export interface Answer {
  readonly status: ContentfulStatusCode;
  /** JSON text. */
  readonly body: string;
  /** Whether the same request has the same answer until something is committed to the database. */
  readonly isStorable?: boolean;
}

/** @param type the content type */
export const replyOf = ({ status, body }: Answer, type: string): Reply => ({
  status,
  headers: { "Content-Type": type, ...(status === 503 ? { "Retry-After": RETRY_AFTER } : {}) },
  body,
});

/** The answer to a request that was not executed. */
export const refusal = (errors: readonly GraphQLFormattedError[], status: ContentfulStatusCode = 400): Answer => ({
  status,
  body: JSON.stringify({ errors }),
});

type Formatted = Pick<ExecutionResult, "extensions"> & {
  readonly errors: readonly GraphQLFormattedError[] | undefined;
};

/** The body of an answer to an operation that was executed. */
export const bodyOf = (result: ExecutionResult, { errors, extensions = {} }: Formatted): string => {
  const data = result instanceof WrittenResult ? result.text : JSON.stringify(result.data ?? null);
  const faults = errors ? `"errors":${JSON.stringify(errors)},` : "";
  const more = Object.keys(extensions).length > 0 ? `,"extensions":${JSON.stringify(extensions)}` : "";
  return `{${faults}"data":${data}${more}}`;
};
