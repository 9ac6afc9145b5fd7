/** Offers answers to the response cache, unless handlers of a project have a part in them, which run for every request. */
import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { AppEnv } from "../context.ts";
import type { ReadAnswer } from "../frame/read-answer.ts";

const own = new WeakSet<object>();

/** Marks a handler or middleware whose answers depend on nothing but the request, the caller and the database. */
export const ownHandler = <Handler extends object>(handler: Handler): Handler => {
  own.add(handler);
  return handler;
};

/** Stores the answer to a request, if the cache waits for it. */
export const storeAnswer = (c: Context<AppEnv>, answer: ReadAnswer): void => {
  const { incoming } = c.env ?? {};
  const { responseCache } = c.get("services");
  if (!incoming || !responseCache?.awaits(incoming)) return;
  if (matchedRoutes(c).every(({ handler }) => own.has(handler))) responseCache.store(incoming, c.get("caller"), answer);
};
