/** Mounts the GraphQL endpoint. Its code is loaded when the first request comes. */
import type { Handler, Hono, MiddlewareHandler } from "hono";
import type { AppEnv } from "../http/context.ts";
import { ownHandler } from "../http/response-cache/store-answer.ts";
import type { Services } from "../http/services.ts";
import type { Declared } from "./create-schema.ts";

interface Loaded {
  readonly endpoint: Handler<AppEnv>;
  /** What browsers get; undefined where there is no page. */
  readonly landingPage: Handler<AppEnv> | undefined;
}

const wantsPage = (accept: string | undefined): boolean => (accept ?? "").includes("text/html");

/** Mounts the endpoint behind `guards`; the page for browsers stands before them, because it shows nothing of the content. */
export const mountGraphql = (
  app: Hono<AppEnv>,
  services: Services,
  { declared, guards }: { readonly declared: Declared; readonly guards: readonly MiddlewareHandler<AppEnv>[] },
): void => {
  const path = services.config.graphql.endpoint;
  let loading: Promise<Loaded> | undefined;
  const load = (): Promise<Loaded> =>
    (loading ??= import("./graphql.ts").then(({ createGraphql }) => createGraphql(services, declared)));

  const page: Handler<AppEnv> = async (c, next) => {
    const { landingPage } = await load();
    return landingPage && wantsPage(c.req.header("accept")) ? landingPage(c, next) : next();
  };
  const endpoint: Handler<AppEnv> = async (c, next) => (await load()).endpoint(c, next);
  app.get(path, ownHandler(page));
  app.use(path, ...guards);
  app.all(path, ownHandler(endpoint));
};
