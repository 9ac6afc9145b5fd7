/** Answers to reads: with a tag by which clients ask whether anything has changed, and compressed where they take it. */
import type { Context } from "hono";
import { parseQuery } from "../../query/index.ts";
import type { AppEnv } from "../context.ts";
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
const asksForPublished = (url: string): boolean => {
  const mark = url.indexOf("?");
  if (mark < 0) return true;
  const query = parseQuery(url.slice(mark + 1));
  return ABOUT_DRAFTS.every((name) => query[name] === undefined);
};

const cachingHeaders = (c: Context<AppEnv>, uid: string): Headers => {
  const control = c.get("services").cacheControl.of(uid, c.get("caller"), () => asksForPublished(c.req.url));
  if (control === undefined) return {};
  return { "Cache-Control": control, Vary: "Origin, Authorization, Strapi-Response-Format" };
};

type Body = string | Bytes | null;

/** Answers with the standard headers and others, which take the place of those. */
const send = (c: Context<AppEnv>, body: Body, status: 200 | 304, own: Headers): Response => {
  const headers = c.get("headers");
  if (headers === undefined || isCustomized(c)) return c.newResponse(body, status, own);
  const response = new Response(body, { status, headers: { ...headers.all, ...own } });
  c.set("complete", response);
  return response;
};

/**
 * Answers a read of documents of a type: 304 without a body where the client has the same, compressed where it takes
 * that; neither where code of the application takes it. Answers that hold secrets do not come through here.
 */
export const sendRead = (c: Context<AppEnv>, uid: string, answer: ReadAnswer): Response | Promise<Response> => {
  const { body, tag } = answer;
  if (c.get("isRead")) return send(c, body, 200, { ...cachingHeaders(c, uid), ...JSON_TYPE });
  const caching: Headers = { ETag: tag, ...cachingHeaders(c, uid) };
  const accepted = c.req.header("accept-encoding");
  const isLong = answer.isLong && c.get("services").config.server.compression;
  const varying = isLong && accepted !== undefined ? { Vary: `${caching["Vary"] ?? "Origin"}, Accept-Encoding` } : {};
  const headers: Headers = { ...caching, ...varying };
  const condition = c.req.header("if-none-match");
  if (condition !== undefined && has(condition, tag)) return send(c, null, 304, headers);
  const coding = isLong && accepted !== undefined ? codingFor(accepted) : undefined;
  const typed: Headers = { ...headers, ...JSON_TYPE };
  if (coding === undefined) return send(c, body, 200, typed);
  return answer.compressed(coding).then((bytes) => send(c, bytes, 200, { ...typed, "Content-Encoding": coding }));
};
