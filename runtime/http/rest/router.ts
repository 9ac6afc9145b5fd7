import { type Context, Hono, type Next } from "hono";
import type { AppEnv } from "../context.ts";

type Answer = Response | void;
type RouteHandler<Path extends string> = (c: Context<AppEnv, Path>, next: Next) => Answer | Promise<Answer>;
type AddRoute = <Path extends string>(path: Path, ...handlers: readonly RouteHandler<Path>[]) => Router;

/**
 * The part of Hono's router that route files need. Hono's own type grows with every route for its typed client: in a
 * project with 100 content types that takes most of the compiler's memory, and nothing here uses it.
 */
export interface Router extends Pick<Hono<AppEnv>, "routes"> {
  readonly get: AddRoute;
  readonly post: AddRoute;
  readonly put: AddRoute;
  readonly delete: AddRoute;
}

/** An empty router; generated files chain their routes onto it. */
export const router = (): Router => new Hono<AppEnv>();

/** Adds routes, such as those of a router, below a path. */
export const mount = (
  app: Hono<AppEnv>,
  prefix: string,
  { routes }: { readonly routes: readonly Router["routes"][number][] },
): void => {
  const below = app.basePath(prefix);
  for (const { method, path, handler } of routes) below.on(method, path, handler);
};
