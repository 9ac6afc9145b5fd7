/** What is mounted where: for the Allow header, for unknown paths, and for paths in another case. */
import type { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import type { AppEnv } from "../context.ts";

const METHODS = ["POST", "PUT", "PATCH", "DELETE"] as const;

export interface RouteTable {
  /** Whether a route, not only middleware, takes the method on this path. */
  has(method: string, path: string): boolean;
  /** The value of an Allow header. GET belongs to every path: an unknown one is answered with 404 rather than 405. */
  allow(path: string): string;
}

/** Reads the routes of a finished application. Middleware, mounted by `use`, does not count. */
export const createRouteTable = (app: Hono<AppEnv>): RouteTable => {
  const router = new TrieRouter<true>();
  for (const { method, path } of app.routes) {
    if (method === "ALL" && path.endsWith("*")) continue;
    if (method === "ALL") for (const each of ["GET", ...METHODS]) router.add(each, path, true);
    else router.add(method, path, true);
  }
  const has = (method: string, path: string) => router.match(method, path)[0].length > 0;
  return {
    has: (method, path) => has(method === "HEAD" ? "GET" : method, path),
    allow: (path) => ["HEAD", "GET", ...METHODS.filter((method) => has(method, path))].join(", "),
  };
};
