/** What an operation came to, as it is sent. */
import type { GraphQLFormattedError } from "graphql";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { RETRY_AFTER } from "../../base/errors.ts";
import type { Reply } from "../../http/frame/read-answer.ts";

export interface Answer {
  readonly status: ContentfulStatusCode;
  /** As text where it is written already. */
  readonly body: string | { readonly errors?: readonly GraphQLFormattedError[]; readonly data?: unknown };
  /** Whether the same request has the same answer until something is committed to the database. */
  readonly isStorable?: boolean;
}

/** @param type the content type */
export const replyOf = ({ status, body }: Answer, type: string): Reply => ({
  status,
  headers: { "Content-Type": type, ...(status === 503 ? { "Retry-After": RETRY_AFTER } : {}) },
  body: typeof body === "string" ? body : JSON.stringify(body),
});
