/** Mounts the GraphQL endpoint. Its code is loaded when the first request comes. */
import type { Handler, Hono, MiddlewareHandler } from "hono";
import type { AppEnv } from "../http/context.ts";
import { type DirectAnswer, withDirect } from "../http/direct/endpoint.ts";
import type { Services } from "../http/services.ts";
import type { Declared } from "./create-schema.ts";

interface Loaded {
  readonly endpoint: Handler<AppEnv>;
  /** Answers some requests to the endpoint without Hono. */
  readonly direct: DirectAnswer;
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
  let loaded: Loaded | undefined;
  const load = (): Promise<Loaded> =>
    (loading ??= import("./graphql.ts").then(({ createGraphql }) => (loaded = createGraphql(services, declared))));
  const direct: DirectAnswer = (call) => (wantsPage(call.header("accept")) ? undefined : loaded?.direct(call));

  const page: Handler<AppEnv> = async (c, next) => {
    const { landingPage } = await load();
    return landingPage && wantsPage(c.req.header("accept")) ? landingPage(c, next) : next();
  };
  app.get(path, withDirect(page, direct));
  app.use(path, ...guards);
  app.all(
    path,
    withDirect(async (c, next) => (await load()).endpoint(c, next), direct),
  );
};
