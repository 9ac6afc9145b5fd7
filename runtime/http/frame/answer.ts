/** Answers with the headers that every one of them carries. */
import type { Context } from "hono";
import type { AppEnv } from "../context.ts";
import { type AnswerHeaders, JSON_TYPE } from "./headers.ts";

/**
 * Whether code that runs before has set headers of its own, a middleware or a cookie: only Hono's own answers carry
 * those, so they take the place of the quick ones below. Hono keeps them to itself until it makes an answer.
 */
export const isCustomized = (c: Context<AppEnv>): boolean => c.newResponse(null).headers.keys().next().done !== true;

/**
 * Answers with JSON text. The headers go out as the record that they are: building a Headers object of them would cost
 * as much as reading a document.
 */
export const sendJson = (c: Context<AppEnv>, text: string, status: 200 | 201 = 200): Response => {
  const headers = c.get("headers");
  if (headers === undefined || isCustomized(c)) return c.body(text, status, JSON_TYPE);
  const response = new Response(text, { status, headers: headers.json });
  c.set("complete", response);
  return response;
};

/** Gives any other answer the headers that it does not have itself. */
export const completeHeaders = (c: Context<AppEnv>, { all }: AnswerHeaders): void => {
  if (c.res === c.get("complete")) return;
  const missing = Object.entries(all).filter(([name]) => !c.res.headers.has(name));
  try {
    for (const [name, value] of missing) c.res.headers.set(name, value);
  } catch {
    // Headers of redirects and of answers from elsewhere cannot be changed: a copy's can.
    c.res = new Response(c.res.body, c.res);
    for (const [name, value] of missing) c.res.headers.set(name, value);
  }
};
