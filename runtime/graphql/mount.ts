/** Mounts the GraphQL endpoint. Its code is loaded when the first request comes, or when the server has started. */
import type { Handler, Hono, MiddlewareHandler } from "hono";
import type { AppEnv } from "../http/context.ts";
import type { Services } from "../http/services.ts";
import type { Declared } from "./create-schema.ts";

interface Loaded {
  readonly endpoint: Handler<AppEnv>;
  /** What browsers get; undefined where there is no page. */
  readonly landingPage: Handler<AppEnv> | undefined;
}

/**
 * Mounts the endpoint behind `guards`; the page for browsers stands before them, because it shows nothing of the content.
 * @returns loads the endpoint, and rejects when the schema cannot be built
 */
export const mountGraphql = (
  app: Hono<AppEnv>,
  services: Services,
  { declared, guards }: { readonly declared: Declared; readonly guards: readonly MiddlewareHandler<AppEnv>[] },
): (() => Promise<void>) => {
  const path = services.config.graphql.endpoint;
  let loading: Promise<Loaded> | undefined;
  const load = (): Promise<Loaded> =>
    (loading ??= import("./graphql.ts").then(({ createGraphql }) => createGraphql(services, declared)));

  app.get(path, async (c, next) => {
    const { landingPage } = await load();
    const wantsPage = (c.req.header("accept") ?? "").includes("text/html");
    return landingPage && wantsPage ? landingPage(c, next) : next();
  });
  app.use(path, ...guards);
  app.all(path, async (c, next) => (await load()).endpoint(c, next));
  return async () => {
    await load();
  };
};
