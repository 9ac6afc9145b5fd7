/** Answers at `/` with a page for people, or with the configured redirect. */
import type { Hono } from "hono";
import type { Config } from "../config/config.ts";
import type { AppEnv } from "../http/context.ts";
import {
  adminPage,
  developmentPage,
  type Home,
  productionPage,
  type RouteLine,
  type TypeSection,
} from "../http/home/page.ts";
import { POLICY } from "../http/home/style.ts";
import { actionOfHandler } from "../http/rest/can.ts";
import type { Services } from "../http/services.ts";
import type { ContentType } from "../schema/content-type.ts";
import { documentationPath } from "./openapi.ts";

/** The routes to list. If several handlers on one path check an action, the first one is shown. */
const linesOf = ({ routes }: Hono<AppEnv>, prefix: string): readonly RouteLine[] => {
  const lines = new Map<string, RouteLine>();
  for (const { method, path, handler } of routes) {
    if (method === "ALL" || !path.startsWith(`${prefix}/`)) continue;
    const key = `${method} ${path}`;
    const action = lines.get(key)?.action ?? actionOfHandler(handler);
    lines.set(key, { method, path, action });
  }
  return [...lines.values()];
};

const traitsOf = ({ kind, draftAndPublish, localized }: ContentType): readonly string[] => [
  kind === "singleType" ? "single type" : "collection type",
  ...(draftAndPublish ? ["drafts"] : []),
  ...(localized ? ["locales"] : []),
];

/** The path of the GraphQL page for browsers; undefined if there is none. */
const sandboxOf = ({ endpoint, landingPage, playgroundAlways }: Config["graphql"]): string | undefined => {
  const chosen = typeof landingPage === "function" ? landingPage({ endpoint, production: false }) : landingPage;
  return playgroundAlways || chosen !== false ? endpoint : undefined;
};

/** What the page shows about an application; never any content. */
const homeOf = (app: Hono<AppEnv>, services: Services): Home => {
  const { config, registry } = services;
  const { rest, graphql } = config;
  const lines = linesOf(app, rest.prefix);
  const types = Object.values(registry.contentTypes)
    .map(({ type }) => type)
    .filter(({ uid }) => uid.startsWith("api::"))
    .map((type): TypeSection => {
      const routes = lines.filter(({ action }) => action?.startsWith(`${type.uid}.`));
      return { uid: type.uid, traits: traitsOf(type), routes };
    });
  const told = new Set(types.flatMap(({ routes }) => routes));
  return {
    prefix: rest.prefix,
    sandbox: sandboxOf(graphql),
    documentation: documentationPath(services),
    types,
    others: lines.filter((line) => !told.has(line)),
  };
};

/** Says at `/admin` that there is no panel, to browsers. */
const mountAdmin = (app: Hono<AppEnv>, { config }: Services): void => {
  app.get("/admin", (c, next) => {
    if (!(c.req.header("accept") ?? "").includes("text/html")) return next();
    return c.html(adminPage(config.rest.prefix), 404, { "Content-Security-Policy": POLICY });
  });
};

export const mountHome = (app: Hono<AppEnv>, services: Services): void => {
  const { home } = services.config.server;
  mountAdmin(app, services);
  if (home !== undefined) {
    app.get("/", (c) =>
      c.body(`Redirecting to ${home}.`, 302, { Location: home, "Content-Type": "text/html; charset=utf-8" }),
    );
    return;
  }
  app.get("/", (c) =>
    c.html(services.production ? productionPage() : developmentPage(homeOf(app, services)), 200, {
      "Content-Security-Policy": POLICY,
    }),
  );
};
