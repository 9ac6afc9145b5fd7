/** Answers to reads: with a tag by which clients ask whether anything has changed, and compressed where they take it. */
import type { Context } from "hono";
import type { Caller } from "../../access/caller.ts";
import { parseQuery } from "../../query/index.ts";
import type { AppEnv } from "../context.ts";
import type { Services } from "../services.ts";
import { isCustomized } from "./answer.ts";
import { codingFor } from "./compress.ts";
import { type Headers, JSON_TYPE } from "./headers.ts";
import type { Bytes, ReadAnswer } from "./read-text.ts";

const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");

/** Whether the client has what the tag stands for. `*` asks for no version in particular: reads answer it as ever. */
const has = (condition: string, tag: string): boolean =>
  condition.split(",").some((each) => opaque(each) === opaque(tag));

/** Parameters that may ask for drafts. */
const ABOUT_DRAFTS = ["status", "publicationState", "publicationFilter", "hasPublishedVersion"];

/** Whether a query asks for published versions only. */
const asksForPublished = (text: string): boolean => {
  if (text === "") return true;
  const query = parseQuery(text);
  return ABOUT_DRAFTS.every((name) => query[name] === undefined);
};

/** What an answer depends on besides what was read. */
export interface Asking {
  readonly services: Pick<Services, "config" | "cacheControl">;
  readonly caller: Caller;
  /** What stands behind the `?`. */
  readonly query: string;
  /** Whether code of the application takes the answer: it comes whole and as it is. */
  readonly isRead?: boolean | undefined;
  /** A header of the request, by its name in lower case. */
  header(name: string): string | undefined;
}

/** What a read is answered with, but for the headers of every answer; its own take the place of those. */
export interface Reply {
  readonly status: 200 | 304;
  readonly headers: Headers;
  readonly body: string | Bytes | null;
}

const cachingHeaders = ({ services, caller, query }: Asking, uid: string): Headers => {
  const control = services.cacheControl.of(uid, caller, () => asksForPublished(query));
  if (control === undefined) return {};
  return { "Cache-Control": control, Vary: "Origin, Authorization, Strapi-Response-Format" };
};

/**
 * The answer to a read of documents of a type: 304 without a body where the client has the same, compressed where it takes
 * that; neither where code of the application takes it. Answers that hold secrets do not come through here.
 */
export const replyTo = (asking: Asking, uid: string, answer: ReadAnswer): Reply | Promise<Reply> => {
  const { body, tag } = answer;
  if (asking.isRead) return { status: 200, headers: { ...cachingHeaders(asking, uid), ...JSON_TYPE }, body };
  const caching: Headers = { ETag: tag, ...cachingHeaders(asking, uid) };
  const accepted = asking.header("accept-encoding");
  const isLong = answer.isLong && asking.services.config.server.compression;
  const varying = isLong && accepted !== undefined ? { Vary: `${caching["Vary"] ?? "Origin"}, Accept-Encoding` } : {};
  const headers: Headers = { ...caching, ...varying };
  const condition = asking.header("if-none-match");
  if (condition !== undefined && has(condition, tag)) return { status: 304, headers, body: null };
  const coding = isLong && accepted !== undefined ? codingFor(accepted) : undefined;
  const typed: Headers = { ...headers, ...JSON_TYPE };
  if (coding === undefined) return { status: 200, headers: typed, body };
  return answer
    .compressed(coding)
    .then((bytes): Reply => ({ status: 200, headers: { ...typed, "Content-Encoding": coding }, body: bytes }));
};

/** Sends it with the standard headers. */
export const sendReply = (c: Context<AppEnv>, { status, headers: own, body }: Reply): Response => {
  const headers = c.get("headers");
  if (headers === undefined || isCustomized(c)) return c.newResponse(body, status, own);
  const response = new Response(body, { status, headers: { ...headers.all, ...own } });
  c.set("complete", response);
  return response;
};
