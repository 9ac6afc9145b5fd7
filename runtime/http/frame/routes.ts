/** The table of mounted routes: for the Allow header, for unknown paths, and for paths in another letter case. */
import type { Context, Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { TrieRouter } from "hono/router/trie-router";
import type { AppEnv } from "../context.ts";

const METHODS = ["POST", "PUT", "PATCH", "DELETE"] as const;

/** Reads the routes of a finished application. Middleware mounted by `use` does not count as a route. */
export const createRouteTable = (app: Hono<AppEnv>) => {
  const router = new TrieRouter<true>();
  for (const { method, path } of app.routes) {
    if (method === "ALL" && path.endsWith("*")) continue;
    if (method === "ALL") for (const each of ["GET", ...METHODS]) router.add(each, path, true);
    else router.add(method, path, true);
  }
  const has = (method: string, path: string) => router.match(method, path)[0].length > 0;
  return {
    /** Whether a route (not only middleware) handles this method on this path. */
    has: (method: string, path: string): boolean => has(method === "HEAD" ? "GET" : method, path),
    /**
     * The value of the Allow header. It always includes GET, since GET of an unknown path is answered with 404 and not
     * with 405.
     */
    allow: (path: string): string => ["HEAD", "GET", ...METHODS.filter((method) => has(method, path))].join(", "),
  };
};

export type RouteTable = ReturnType<typeof createRouteTable>;

/** The pattern of the route that handles a request. Patterns that end with `*` belong to middleware. */
export const routeOf = (c: Context<AppEnv>): string | undefined =>
  matchedRoutes(c).findLast(({ path }) => !path.endsWith("*"))?.path;
