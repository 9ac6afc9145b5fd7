import type { Caller } from "../../../runtime/access/caller.ts";
import { defineApplication } from "../../../runtime/app/application.ts";
import { createApp } from "../../../runtime/app/server.ts";
/** The small content model of the read engine's tests, served over GraphQL. */
import { configSchema } from "../../../runtime/config/config.ts";
import type { ConfigInput } from "../../../runtime/config/config.ts";
import type { Database } from "../../../runtime/database/database.ts";
import { createGraphqlSchema, declarationsOf } from "../../../runtime/graphql/create-schema.ts";
import type { ComponentDeclaration, FieldDeclaration, TypeDeclaration } from "../../../runtime/graphql/declaration.ts";
import * as as from "../../../runtime/graphql/declaration.ts";
import type { App } from "../../../runtime/graphql/extension/app.ts";
import { can, find, findOne, router } from "../../../runtime/http/rest/index.ts";
import type { Component, ContentType } from "../../../runtime/schema/content-type.ts";
import { validator } from "../../../runtime/schema/validators.ts";
import { testServices } from "../../support/services.ts";
import { application as content, article, author, category, comment, components, vault } from "../query/content.ts";

const typeOf = (
  name: string,
  type: ContentType,
  fields: () => Readonly<Record<string, FieldDeclaration>>,
): TypeDeclaration => ({ name, one: type.singularName, many: type.pluralName, type, fields });

const componentOf = (
  name: string,
  uid: string,
  fields: () => Readonly<Record<string, FieldDeclaration>>,
): ComponentDeclaration => {
  const component = components.find((each): each is Component => each.uid === uid);
  if (!component) throw new Error(`No component ${uid}.`);
  return { name, component, fields };
};

const Link = componentOf("ComponentSharedLink", "shared.link", () => ({
  label: as.string(),
  amount: as.int(),
  url: as.string(),
  icon: as.file(),
  owner: as.one(Author),
  safe: as.one(Vault),
}));
const Seo = componentOf("ComponentSharedSeo", "shared.seo", () => ({
  title: as.string(),
  key: as.string(),
  image: as.file(),
  images: as.files(),
  topics: as.many(Category),
  links: as.components(Link),
}));
const Quote = componentOf("ComponentBlocksQuote", "blocks.quote", () => ({ text: as.string(), by: as.string() }));
const Hero = componentOf("ComponentBlocksHero", "blocks.hero", () => ({
  heading: as.string(),
  image: as.file(),
  cta: as.component(Link),
}));

const Author: TypeDeclaration = typeOf("Author", author, () => ({
  name: as.string(),
  age: as.int(),
  token: as.string(),
  avatar: as.file(),
  boss: as.one(Author),
  deputy: as.one(Author),
  articles: as.many(Article),
}));
const Category: TypeDeclaration = typeOf("Category", category, () => ({
  name: as.string(),
  position: as.int(),
  code: as.string(),
  articles: as.many(Article),
}));
const Vault: TypeDeclaration = typeOf("Vault", vault, () => ({ name: as.string() }));
const Comment: TypeDeclaration = typeOf("Comment", comment, () => ({
  content: as.string(),
  subject: as.morph(),
  mentions: as.morphs(),
}));
const Article: TypeDeclaration = typeOf("Article", article, () => ({
  title: as.string(),
  slug: as.string(),
  rating: as.int(),
  views: as.long(),
  clock: as.time(),
  secret: as.string(),
  pin: as.string(),
  cover: as.file(),
  hiddenCover: as.file(),
  gallery: as.files(),
  author: as.one(Author),
  ghost: as.one(Author),
  categories: as.many(Category),
  related: as.many(Article),
  vaults: as.many(Vault),
  hidden: as.many(Category),
  seo: as.component(Seo),
  links: as.components(Link),
  secretSeo: as.component(Seo),
  sections: as.dynamicZone("ArticleSectionsDynamicZone", [Quote, Hero]),
}));

/** The reading routes of a type. */
const routesOf = (type: ContentType) =>
  router()
    .get(`/${type.pluralName}`, can(`${type.uid}.find`), find(type))
    .get(`/${type.pluralName}/:documentId`, can(`${type.uid}.findOne`), findOne(type));

const declarations = [Article, Author, Category, Comment, Vault];
const none = validator({});

/** The application, with what `app` changes of its schema. */
export const applicationWith = (app?: App) =>
  defineApplication({
    ...content,
    contentTypes: Object.fromEntries(
      declarations.map((graphql) => [
        graphql.type.uid,
        { type: graphql.type, validator: none, routes: routesOf(graphql.type), graphql },
      ]),
    ),
    components: Object.fromEntries(
      [Link, Seo, Quote, Hero].map((graphql) => [
        graphql.component.uid,
        { component: graphql.component, validator: none, graphql },
      ]),
    ),
    app,
  });

export type GraphqlConfig = NonNullable<ConfigInput["graphql"]>;

/** The schema alone. */
export const schemaWith = (app?: App, graphql: GraphqlConfig = {}) =>
  createGraphqlSchema(declarationsOf(applicationWith(app)), configSchema.parse({ graphql }).graphql);

/** Everything but the vaults. */
export const reader: Caller = { kind: "token", can: (action) => !action.startsWith("api::vault.") };

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
}

export interface GraphqlServer {
  query(query: string, variables?: Readonly<Record<string, unknown>>): Promise<Reply>;
  /** Sends a body as it is. */
  send(body: unknown): Promise<Reply>;
  /** Asks the REST API, by a path without its prefix. */
  rest(path: string): Promise<Reply>;
  /** Opens the endpoint in a browser. */
  open(): Promise<Response>;
}

interface Options {
  readonly database?: Database;
  readonly graphql?: GraphqlConfig;
  readonly app?: App;
  readonly caller?: Caller;
  readonly production?: boolean;
}

const reply = async (answer: Response): Promise<Reply> => {
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text), text };
};

/** Serves the model; every request comes from `caller`. */
export const serve = async ({
  database,
  graphql = {},
  app,
  caller = reader,
  production = false,
}: Options): Promise<GraphqlServer> => {
  const config: ConfigInput = { locales: { default: "en", codes: ["en", "fr"] }, graphql };
  const application = applicationWith(app);
  const services = await testServices(application, { config, ...(database ? { database } : {}) });
  const auth = { ...services.auth, authenticate: () => caller };
  const http = createApp({ ...services, auth, production }, application);
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
    rest: async (path) => reply(await http.request(`/api${path}`)),
    open: async () => http.request("/graphql", { headers: { Accept: "text/html" } }),
  };
};
