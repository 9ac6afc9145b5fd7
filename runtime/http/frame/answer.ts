/** Answers with the headers that every one of them carries. */
import type { Context } from "hono";
import type { AppEnv } from "../context.ts";
import { type AnswerHeaders, JSON_TYPE } from "./headers.ts";

/**
 * Notices headers that a middleware sets itself: only Hono's own answers carry those, so they take the place of the
 * quick ones below.
 */
export const noticeHeaders = (c: Context<AppEnv>): void => {
  const { header } = c;
  c.header = (name: string, value?: string, options?: { readonly append?: boolean }): void => {
    c.set("customized", true);
    header(name, value, options);
  };
};

/**
 * Answers with JSON text. The headers go out as the record that they are: building a Headers object of them would cost
 * as much as reading a document.
 */
export const sendJson = (c: Context<AppEnv>, text: string, status: 200 | 201 = 200): Response => {
  const headers = c.get("headers");
  if (headers === undefined || c.get("customized")) return c.body(text, status, JSON_TYPE);
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
