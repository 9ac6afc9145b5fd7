/** Serves the OpenAPI document and the page that shows it, if the configuration allows it. */
import type { Hono } from "hono";
import type { Config } from "../config/config.ts";
import type { AppEnv } from "../http/context.ts";
import { fixedText } from "../http/frame/fixed-text.ts";
import { JSON_TYPE } from "../http/frame/headers.ts";
import type { Services } from "../http/services.ts";
import { openapiDocument } from "../openapi/document.ts";
import type { JsonObject } from "../openapi/json-schema.ts";
import { documentationPage, PAGE_POLICY } from "../openapi/page/page.ts";
import type { Application } from "./application.ts";

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
  let made: JsonObject | undefined;
  const document = (): JsonObject => (made ??= openapiDocument(application, config));
  const address = `${config.rest.prefix}/openapi.json`;
  app.get(
    address,
    fixedText(() => JSON.stringify(document()), JSON_TYPE),
  );
  const page = documentationPath(services);
  if (page === undefined) return;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": PAGE_POLICY };
  app.get(
    page,
    fixedText(async () => String(await documentationPage(document(), address)), headers),
  );
};
