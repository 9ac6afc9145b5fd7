/** The small content model of the read engine's tests, served over GraphQL. */
import { z } from "zod";
import type { Caller } from "../../../runtime/access/caller.ts";
import { defineApplication } from "../../../runtime/app/application.ts";
import { createHonoApp } from "../../../runtime/app/server.ts";
import { configSchema } from "../../../runtime/config/config.ts";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { createGraphqlSchema, declarationsOf } from "../../../runtime/graphql/create-schema.ts";
import type { App } from "../../../runtime/graphql/extension/app.ts";
import { can, find, findOne, router } from "../../../runtime/http/rest/index.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";
import { testServices } from "../../support/services.ts";
import { application as content, components } from "../query/content.ts";
import { componentModule, typeModules } from "./declarations.ts";

/** The reading routes of a type. */
const routesOf = (type: ContentType) =>
  router()
    .get(`/${type.pluralName}`, can(`${type.uid}.find`), find(type))
    .get(`/${type.pluralName}/:documentId`, can(`${type.uid}.findOne`), findOne(type));

const none = z.object({});

/** The application, with what `app` changes of its schema. */
export const applicationWith = (app?: App) =>
  defineApplication({
    ...content,
    contentTypes: Object.fromEntries(
      typeModules.map(({ type, graphql }) => [type.uid, { type, validator: none, routes: routesOf(type), graphql }]),
    ),
    components: Object.fromEntries(
      components.map((component) => [
        component.uid,
        { component, validator: none, graphql: componentModule(component) },
      ]),
    ),
    app,
  });

export type GraphqlConfig = NonNullable<ConfigInput["graphql"]>;

/** The schema alone. */
export const schemaWith = (app?: App, graphql: GraphqlConfig = {}) =>
  createGraphqlSchema(declarationsOf(applicationWith(app)), configSchema.parse({ graphql }));

/** Everything but the vaults. */
export const reader: Caller = { kind: "token", can: (action) => !action.startsWith("api::vault.") };

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
}

export interface GraphqlServer {
  query(query: string, variables?: Readonly<Record<string, unknown>>): Promise<Reply>;
  /** Sends a body as it is. */
  send(body: unknown): Promise<Reply>;
  /** Asks the REST API, by a path without its prefix. */
  rest(path: string): Promise<Reply>;
  /** Sends what any page could make a browser send: no header of its own. */
  plain(query: string, init?: RequestInit): Promise<Reply>;
  /** Opens the endpoint in a browser. */
  open(): Promise<Response>;
}

interface Options {
  readonly database?: Database;
  readonly graphql?: GraphqlConfig;
  readonly auth?: ConfigInput["auth"];
  readonly limits?: ConfigInput["limits"];
  readonly cache?: ConfigInput["cache"];
  readonly app?: App;
  readonly caller?: Caller | (() => Caller);
  readonly production?: boolean;
}

const reply = async (answer: Response): Promise<Reply> => {
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text), text, headers: answer.headers };
};

/** Serves the model; every request comes from `caller`, or from whom it says just then. */
export const serve = async ({
  database,
  graphql = {},
  auth: authentication = {},
  limits = {},
  cache = {},
  app,
  caller = reader,
  production = false,
}: Options): Promise<GraphqlServer> => {
  const config: ConfigInput = {
    locales: { default: "en", codes: ["en", "fr"] },
    graphql,
    auth: authentication,
    limits,
    cache,
    search: { zoneFilters: true },
  };
  const application = applicationWith(app);
  const services = await testServices(application, { config, ...(database ? { database } : {}) });
  const auth = { ...services.auth, authenticate: typeof caller === "function" ? caller : () => caller };
  const http = createHonoApp({ ...services, auth, production }, application);
  const send = async (body: unknown): Promise<Reply> =>
    reply(
      await http.request("/graphql", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  return {
    send,
    query: (query, variables) => send({ query, variables }),
    plain: async (query, init) => reply(await http.request(`/graphql?query=${encodeURIComponent(query)}`, init)),
    rest: async (path) => reply(await http.request(`/api${path}`)),
    open: async () => http.request("/graphql", { headers: { Accept: "text/html" } }),
  };
};
