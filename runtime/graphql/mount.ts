/** Mounts the GraphQL endpoint, whose code is loaded on demand. */
import type { Handler, Hono, MiddlewareHandler } from "hono";
import type { AppEnv, Services } from "../http/context.ts";
import { ownHandler } from "../http/frame/answer.ts";
import type { Declared } from "./create-schema.ts";
import type { createGraphql } from "./graphql.ts";

/** The handlers of the endpoint. */
export type Loaded = ReturnType<typeof createGraphql>;

/** Loads the code of the endpoint and builds its schema, at the first call. */
export type LoadGraphql = () => Promise<Loaded>;

/** @throws SetupError, when the returned function is called, if the project's code makes the schema invalid */
export const lazyGraphql = (services: Services, declared: Declared): LoadGraphql => {
  let loading: Promise<Loaded> | undefined;
  return () => (loading ??= import("./graphql.ts").then(({ createGraphql }) => createGraphql(services, declared)));
};

const wantsPage = (accept: string | undefined): boolean => (accept ?? "").includes("text/html");

/** Mounts the endpoint behind `guards`, and the page for browsers before them, as it shows no content. */
export const mountGraphql = (
  app: Hono<AppEnv>,
  services: Services,
  { load, guards }: { readonly load: LoadGraphql; readonly guards: readonly MiddlewareHandler<AppEnv>[] },
): void => {
  const path = services.config.graphql.endpoint;

  const page: Handler<AppEnv> = async (c, next) => {
    const { landingPage } = await load();
    return landingPage && wantsPage(c.req.header("accept")) ? landingPage(c, next) : next();
  };
  const endpoint: Handler<AppEnv> = async (c, next) => (await load()).endpoint(c, next);
  app.get(path, ownHandler(page));
  app.use(path, ...guards);
  app.all(path, ownHandler(endpoint));
};
