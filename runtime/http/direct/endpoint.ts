/** Endpoints that can answer some requests without Hono: a note on the handler of the same path. */
import type { Handler } from "hono";
import type { Caller } from "../../access/caller.ts";
import type { Client } from "../../database/database.ts";
import type { AppEnv } from "../context.ts";
import type { Reply } from "../frame/read-answer.ts";
import { overlap, type Route, segmentsOf } from "./routes.ts";

/** A request to an endpoint, with its whole body. */
export interface DirectCall {
  readonly method: "GET" | "POST";
  /** The path with the query string. */
  readonly target: string;
  /** Empty for GET. */
  readonly body: Uint8Array;
  readonly caller: Caller;
  readonly client: Client;
  /** A request header, by its name in lower case. */
  header(name: string): string | undefined;
}

/** Answers a request; undefined, without having done anything, if Hono has to. */
export type DirectAnswer = (call: DirectCall) => Promise<Reply> | undefined;

const answerOf: unique symbol = Symbol("answer");

interface Marked {
  readonly [answerOf]: DirectAnswer;
}

/** Notes on a handler what answers some of its requests directly. */
export const withDirect = (handler: Handler<AppEnv>, answer: DirectAnswer): Handler<AppEnv> =>
  Object.assign(handler, { [answerOf]: answer });

const isMarked = (handler: object): handler is Marked => answerOf in handler;

/** Finds what answers requests to a path directly, by the path. */
export type FindEndpoint = (path: string) => DirectAnswer | undefined;

/**
 * Looks through the routes of a finished application for handlers that {@link withDirect} noted something on, and that no
 * other handler runs before.
 *
 * @param isFrame whether a handler is one of those that run around every route, and are ours
 */
export const directEndpoints = (routes: readonly Route[], isFrame: (handler: object) => boolean): FindEndpoint => {
  const found = new Map<string, DirectAnswer>();
  const before: (readonly string[])[] = [];
  for (const { path, handler } of routes) {
    const segments = segmentsOf(path);
    if (!isMarked(handler)) {
      if (!isFrame(handler)) before.push(segments);
    } else if (!before.some((other) => overlap(segments, other))) found.set(path, handler[answerOf]);
  }
  return (path) => found.get(path);
};
