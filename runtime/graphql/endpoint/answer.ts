/** What an operation came to, as it is sent. */
import type { GraphQLFormattedError } from "graphql";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { RETRY_AFTER } from "../../base/errors.ts";
import type { Reply } from "../../http/frame/read-answer.ts";
import type { Bytes } from "../../http/frame/read-text.ts";

export interface Answer {
  readonly status: ContentfulStatusCode;
  /** As text or bytes where it is written already. */
  readonly body: string | Bytes | { readonly errors?: readonly GraphQLFormattedError[]; readonly data?: unknown };
}

/** @param type the content type */
export const replyOf = ({ status, body }: Answer, type: string): Reply => ({
  status,
  headers: { "Content-Type": type, ...(status === 503 ? { "Retry-After": RETRY_AFTER } : {}) },
  body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
});
