/**
 * Answers to reads: with an ETag, so that clients can ask whether anything has changed, and compressed if they accept
 * it.
 */
import type { Context } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import type { Caller } from "../../access/caller.ts";
import { parseQuery } from "../../query/index.ts";
import type { AppEnv } from "../context.ts";
import type { Services } from "../services.ts";
import { isCustomized } from "./answer.ts";
import { codingFor } from "./compress.ts";
import { type Headers, JSON_TYPE } from "./headers.ts";
import type { Bytes, ReadAnswer, Version } from "./read-text.ts";

const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");

/** Whether a condition names the version with this tag. `*` names no version, so it counts as no condition. */
const names = (condition: string, tag: string): boolean =>
  condition.split(",").some((each) => opaque(each) === opaque(tag));

/** Query parameters that can ask for drafts. */
const ABOUT_DRAFTS = ["status", "publicationState", "publicationFilter", "hasPublishedVersion"];

/** Whether a query asks for published versions only. */
const asksForPublished = (text: string): boolean => {
  if (text === "") return true;
  const query = parseQuery(text);
  return ABOUT_DRAFTS.every((name) => query[name] === undefined);
};

/** What an answer depends on besides the documents that were read. */
export interface Asking {
  readonly services: Pick<Services, "config" | "cacheControl">;
  readonly caller: Caller;
  /** The query string, without the `?`. */
  readonly query: string;
  /** Whether application code reads the answer: then it is sent uncompressed and never as a 304. */
  readonly isRead?: boolean | undefined;
  /** A request header, by its name in lower case. */
  header(name: string): string | undefined;
}

/** An answer without the standard headers. Its own headers override those. */
export interface Reply {
  readonly status: StatusCode;
  readonly headers: Headers;
  readonly body: string | Bytes | null;
}

/** Adds the headers about caching, where the configuration has rules for the type. */
const addCaching = (headers: Record<string, string>, { services, caller, query }: Asking, uid: string): void => {
  const control = services.cacheControl.of(uid, caller, () => asksForPublished(query));
  if (control === undefined) return;
  headers["Cache-Control"] = control;
  headers["Vary"] = "Origin, Authorization, Strapi-Response-Format";
};

/**
 * Whether the client already has a version of the answer, by its tag; undefined if the request carries no condition, or
 * application code reads the answer.
 */
export const conditionOf = (asking: Asking): ((tag: string) => boolean) | undefined => {
  const condition = asking.isRead ? undefined : asking.header("if-none-match");
  return condition === undefined ? undefined : (tag) => names(condition, tag);
};

const versionHeaders = (asking: Asking, uid: string, { tag }: Version, isVarying: boolean): Record<string, string> => {
  const headers: Record<string, string> = { ETag: tag };
  addCaching(headers, asking, uid);
  if (isVarying) headers["Vary"] = `${headers["Vary"] ?? "Origin"}, Accept-Encoding`;
  return headers;
};

/** The codings that the client accepts; undefined if it names none, or the answer is never compressed. */
const acceptedFor = (asking: Asking, { isLong }: Version): string | undefined =>
  isLong && asking.services.config.server.compression ? asking.header("accept-encoding") : undefined;

/** Makes the 304 for a client that has this version of the answer. */
export const unchanged = (asking: Asking, uid: string, version: Version): Reply => ({
  status: 304,
  headers: versionHeaders(asking, uid, version, acceptedFor(asking, version) !== undefined),
  body: null,
});

/** Makes the answer for application code, which is complete and has no tag. */
const plain = (asking: Asking, uid: string, { body }: ReadAnswer): Reply => {
  const headers: Record<string, string> = { ...JSON_TYPE };
  addCaching(headers, asking, uid);
  return { status: 200, headers, body };
};

/**
 * Makes the answer to a read of documents of a type: a 304 without a body if the client has the same version,
 * compressed if the client accepts that; neither if application code reads the answer. Do not use it for answers with
 * secrets.
 */
export const replyTo = (asking: Asking, uid: string, answer: ReadAnswer): Reply | Promise<Reply> => {
  if (asking.isRead) return plain(asking, uid, answer);
  if (conditionOf(asking)?.(answer.tag)) return unchanged(asking, uid, answer);
  const accepted = acceptedFor(asking, answer);
  const headers = versionHeaders(asking, uid, answer, accepted !== undefined);
  headers["Content-Type"] = JSON_TYPE["Content-Type"];
  const coding = accepted === undefined ? undefined : codingFor(accepted);
  if (coding === undefined) return { status: 200, headers, body: answer.body };
  return answer.compressed(coding).then((bytes): Reply => {
    headers["Content-Encoding"] = coding;
    return { status: 200, headers, body: bytes };
  });
};

/** Sends the reply with the standard headers. */
export const sendReply = (c: Context<AppEnv>, { status, headers: own, body }: Reply): Response => {
  const headers = c.get("headers");
  if (headers === undefined || isCustomized(c)) return c.newResponse(body, status, own);
  const response = new Response(body, { status, headers: { ...headers.all, ...own } });
  c.set("complete", response);
  return response;
};
