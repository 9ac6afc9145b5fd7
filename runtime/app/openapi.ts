/** Serves the OpenAPI document and the page that shows it, if the configuration allows that. */
import type { Hono } from "hono";
import { NotFoundError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import type { AppEnv, Services } from "../http/context.ts";
import { fixedText } from "../http/frame/fixed-text.ts";
import { JSON_TYPE } from "../http/frame/headers.ts";
import { openapiDocument } from "../openapi/document.ts";
import { documentation, type Documentation, PAGE_FILES } from "../openapi/page.ts";
import type { Application } from "./application.ts";
import { featureRoutes } from "./feature-routes.ts";

const isOpen = ({ access }: Config["openapi"], production: boolean): boolean =>
  access === "public" || (access === "development" && !production);

/** The path of the page; undefined if there is none. */
export const documentationPath = ({ config, production }: Services): string | undefined => {
  const { page } = config.openapi;
  return page !== false && isOpen(config.openapi, production) ? page : undefined;
};

/** Mounts both routes. The document is made at the first request, since few servers are ever asked for it. */
export const mountOpenapi = (app: Hono<AppEnv>, services: Services, application: Application): void => {
  const { config, production } = services;
  if (!isOpen(config.openapi, production)) return;
  const address = `${config.rest.prefix}/openapi.json`;
  const document = async (): Promise<string> =>
    JSON.stringify(await openapiDocument(application, config, featureRoutes(config)));
  app.get(address, fixedText(document, JSON_TYPE));
  mountPage(app, documentationPath(services), address);
};

/** Mounts the page that shows the document, and its files. The viewer package is resolved at the first request. */
const mountPage = (app: Hono<AppEnv>, path: string | undefined, address: string): void => {
  if (path === undefined) return;
  let found: Documentation | undefined;
  const load = (): Documentation => (found ??= documentation(path, address));
  app.get(path, (c) => {
    const { body, policy } = load();
    return c.html(body, 200, { "Content-Security-Policy": policy, "Cache-Control": "no-cache" });
  });
  for (const [name, type] of Object.entries(PAGE_FILES)) {
    const read = async (): Promise<string> => {
      const { file } = load();
      if (!file) throw new NotFoundError();
      return file(name);
    };
    app.get(`${path}/${name}`, fixedText(read, { "Content-Type": type }));
  }
};
