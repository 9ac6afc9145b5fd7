import { type Context, Hono, type Next } from "hono";
import type { AppEnv } from "../context.ts";

type Answer = Response | void;
type RouteHandler<Path extends string> = (c: Context<AppEnv, Path>, next: Next) => Answer | Promise<Answer>;
type AddRoute = <Path extends string>(path: Path, ...handlers: readonly RouteHandler<Path>[]) => Router;

/**
 * What route files need of Hono's router. Hono's own type grows by every route, for its typed client: in a project of
 * 100 content types that is most of what the compiler keeps in memory, and nobody asks for it.
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
