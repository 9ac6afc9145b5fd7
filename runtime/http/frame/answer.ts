/** Sends responses with the standard headers, and offers them to the response cache. */
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { AppEnv } from "../context.ts";
import { type AnswerHeaders, JSON_TYPE } from "./headers.ts";
import type { Conditions, ReadAnswer, Reply } from "./read-answer.ts";

/**
 * Whether a middleware or a cookie has already set headers for this response. Only those that Hono builds carry them,
 * so the quick responses below cannot be used then. Hono exposes these headers only on a response that it makes.
 */
export const isCustomized = (c: Context<AppEnv>): boolean => c.newResponse(null).headers.keys().next().done !== true;

/**
 * Answers with JSON text. The headers are passed as a plain record: building a `Headers` object would take as long as
 * reading a document.
 */
export const sendJson = (c: Context<AppEnv>, text: string, status: 200 | 201 = 200): Response => {
  const headers = c.get("headers");
  if (headers === undefined || isCustomized(c)) return c.body(text, status, JSON_TYPE);
  const response = new Response(text, { status, headers: headers.json });
  c.set("complete", response);
  return response;
};

/** The conditions in the request of a Hono context. */
export const conditionsOf = (c: Context<AppEnv>): Conditions => ({
  known: c.req.header("if-none-match"),
  codings: c.get("services").config.server.compression ? c.req.header("accept-encoding") : undefined,
});

/** Sends the reply with the standard headers. */
export const sendReply = (c: Context<AppEnv>, { status, headers: own, body }: Reply): Response => {
  const headers = c.get("headers");
  if (headers === undefined || isCustomized(c)) return c.newResponse(body, status, own);
  const response = new Response(body, { status, headers: { ...headers.all, ...own } });
  c.set("complete", response);
  return response;
};

/** Adds the standard headers to any other response, unless it has set them itself. */
export const completeHeaders = (c: Context<AppEnv>, { all }: AnswerHeaders): void => {
  if (c.res === c.get("complete")) return;
  const missing = Object.entries(all).filter(([name]) => !c.res.headers.has(name));
  try {
    for (const [name, value] of missing) c.res.headers.set(name, value);
  } catch {
    // The headers of redirects and of fetched responses are immutable; those of a copy are not.
    c.res = new Response(c.res.body, c.res);
    for (const [name, value] of missing) c.res.headers.set(name, value);
  }
};

/**
 * Whether a request has an answer: code that is not type-checked may return something else, or nothing. Complete
 * answers are not inspected, because looking at their headers would build those.
 */
export const isAnswer = (c: Context<AppEnv>): boolean => c.res === c.get("complete") || c.res.headers instanceof Object;

/** Our own handlers. A project's handlers must run for every request, so answers that involve them are not stored. */
const own = new WeakSet<object>();

/** Marks a handler or middleware whose responses depend on nothing but the request, the caller and the database. */
export const ownHandler = <Handler extends object>(handler: Handler): Handler => {
  own.add(handler);
  return handler;
};

/** Stores the response to a request, if the response cache waits for it. */
export const storeAnswer = (c: Context<AppEnv>, answer: ReadAnswer): void => {
  const { incoming } = c.env ?? {};
  const { responseCache } = c.get("services");
  if (!incoming || !responseCache?.awaits(incoming)) return;
  if (matchedRoutes(c).every(({ handler }) => own.has(handler))) responseCache.store(incoming, c.get("caller"), answer);
};
