/** The OpenAPI 3.1 document of an application. */
import type { Hono } from "hono";
import type { z } from "zod";
import { userUid } from "../accounts/users/user-store.ts";
import type { Config } from "../config/config.ts";
import { authRoutes } from "../http/accounts/auth-routes.ts";
import { connectRoutes } from "../http/accounts/connect-routes.ts";
import { roleRoutes } from "../http/accounts/role-routes.ts";
import { userRoutes } from "../http/accounts/user-routes.ts";
import type { RouteEnv } from "../http/context.ts";
import { mediaRoutes } from "../http/media/routes.ts";
import { extensionRoutes } from "../http/rest/extension-routes.ts";
import { localeRoutes } from "../http/rest/locales.ts";
import type { Router } from "../http/rest/router.ts";
import { schemaRoutes } from "../http/rest/schema-routes.ts";
import { type RouteSchemas, schemasOfHandler } from "../http/rest/schemas.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { Declarations, DeclaredType } from "../schema/registry.ts";
import { plainSchema } from "../schema/validation/plain-schema.ts";
import { answerSchemas } from "./answers.ts";
import { bodySchemas } from "./bodies.ts";
import { builtInParameters, builtInRoutes, builtInSchemas, graphqlRoutes } from "./builtin-routes.ts";
import { contentOperations } from "./content-routes.ts";
import {
  type DescribeRoutes,
  jsonBody,
  type OperationDescription,
  operationOf,
  parametersOf,
  type Route,
  type RouteGroup,
  routesOf,
  templateOf,
} from "./endpoint.ts";
import { integer, type JsonObject, record, shape, text, hoisted } from "./json-schema.ts";
import { type Declared, namesOf, pascal } from "./names.ts";
import { parameters, querySchemas } from "./queries.ts";

const hoistedSchema = (schema: z.ZodType, id: string, io: "input" | "output") =>
  hoisted(plainSchema(schema, io), `${id}.`);

const operationIdOf = ({ method, path }: Route, prefix: string): string => {
  const words = templateOf(path.slice(prefix.length)).replaceAll(/[{}]/g, "");
  return `${method.toLowerCase()}${pascal(words)}`;
};

/** The description of a route of an extension, by its schemas; a route without schemas is only listed. */
const describeOwnRoute = (route: Route, prefix: string, tag: string) => {
  const said: RouteSchemas = route.handlers.map(schemasOfHandler).find((each) => each !== undefined) ?? {};
  const operationId = said.operationId ?? operationIdOf(route, prefix);
  const body = said.body && hoistedSchema(said.body, `${operationId}Body`, "input");
  const query = said.query && hoistedSchema(said.query, `${operationId}Query`, "input");
  const answer = said.answer && hoistedSchema(said.answer, `${operationId}Answer`, "output");
  return {
    description: {
      operationId,
      tag,
      summary: said.summary ?? `${route.method} ${templateOf(route.path)}`,
      ...(query ? { parameters: parametersOf(query.schema) } : {}),
      ...(body ? { body: jsonBody(body.schema) } : {}),
      answers: { [said.status ?? 200]: answer?.schema ?? {} },
    },
    defs: { ...body?.defs, ...query?.defs, ...answer?.defs },
  };
};

/** The declarations of an application that the document describes. */
export interface Described extends Declarations {
  readonly contentTypes: Readonly<Record<string, DeclaredType & { readonly routes?: Router }>>;
  readonly extensions: Readonly<Record<string, { routes?(router: Hono<RouteEnv>): void }>>;
}

interface Part {
  readonly route: Route;
  readonly description: OperationDescription;
  readonly defs?: JsonObject;
}

/** The routes of an extension. They come before generated ones, and may replace them. */
const ownParts = ({ extensions }: Described, { uid }: ContentType, tag: string, prefix: string): readonly Part[] =>
  routesOf(extensionRoutes(uid, extensions[uid]), prefix)
    .filter(({ path }) => !path.includes("*"))
    .map((route) => ({ route, ...describeOwnRoute(route, prefix, tag) }));

const contentParts = (application: Described, declared: Declared, prefix: string): readonly Part[] =>
  Object.values(application.contentTypes).flatMap(({ type, routes }) => {
    const tag = declared.names.type(type.uid);
    const operations = contentOperations(declared, type);
    const generated = routesOf(routes ?? { routes: [] }, prefix).flatMap((route): Part[] => {
      // A route without a description was replaced by the type's own code.
      const description = operations[route.action?.split(".").at(-1) ?? ""];
      return description ? [{ route, description: { ...description, tag } }] : [];
    });
    return [...ownParts(application, type, tag, prefix), ...generated];
  });

const builtInParts = ({ routers, descriptions }: RouteGroup, prefix: string): readonly Part[] =>
  routers
    .flatMap((router) => routesOf(router, ""))
    .map((route) => {
      const description = descriptions[`${route.method} ${route.path}`];
      if (!description) throw new Error(`there is no description of ${route.method} ${route.path}`);
      return { route: { ...route, path: `${prefix}${route.path}` }, description };
    });

const builtInGroup = (hasUsers: boolean): RouteGroup => {
  const accounts = hasUsers ? [authRoutes, connectRoutes, userRoutes, roleRoutes] : [];
  return { routers: [...accounts, mediaRoutes(), localeRoutes, schemaRoutes], descriptions: builtInRoutes };
};

const graphqlParts = ({ endpoint: path }: Config["graphql"]): readonly Part[] =>
  Object.entries(graphqlRoutes).map(([method, description]) => ({
    route: { method, path, action: undefined, handlers: [] },
    description,
  }));

/** Operations by path and method. If there are several, the first one is used, as in routing. */
const pathsOf = (parts: readonly Part[]): JsonObject => {
  const templates = new Map<string, string>();
  const paths = new Map<string, JsonObject>();
  for (const { route, description } of parts) {
    const own = templateOf(route.path);
    // Paths that differ only in the names of parameters are the same path.
    const key = own.replaceAll(/\{\w+\}/g, "{}");
    const template = templates.get(key) ?? own;
    templates.set(key, template);
    const method = route.method.toLowerCase();
    const known = paths.get(template) ?? {};
    if (!(method in known))
      paths.set(template, { ...known, [method]: operationOf(route.action, template, description) });
  }
  return Object.fromEntries(paths);
};

const errorSchema = shape({
  data: { type: "null" },
  error: shape({ status: integer, name: text, message: text, "details?": { type: "object" } }),
});

const paginationSchema = record({
  page: integer,
  pageSize: integer,
  pageCount: integer,
  start: integer,
  limit: integer,
  total: integer,
  after: {
    type: ["string", "null"],
    description: "For requests with `pagination[after]`: the cursor of the next page, or null if there is none.",
  },
});

const refsIn = (part: unknown): readonly string[] =>
  [...JSON.stringify(part ?? null).matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer = ""]) => pointer);

type NamedParts = Readonly<Record<string, JsonObject>>;

/** The components that paths refer to, directly or indirectly. */
const usedComponents = (paths: JsonObject, components: NamedParts): NamedParts => {
  const found = new Set(refsIn(paths));
  // Iterating a set includes items that are added during the iteration.
  for (const pointer of found) {
    const [, , kind = "", name = ""] = pointer.split("/");
    for (const inner of refsIn(components[kind]?.[name])) found.add(inner);
  }
  const pick = (kind: string, parts: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => found.has(`#/components/${kind}/${name}`)));
  return Object.fromEntries(Object.entries(components).map(([kind, parts]) => [kind, pick(kind, parts)]));
};

const errorResponse: JsonObject = {
  description: "What was wrong: 400 for what was asked, 401 and 403 for who asked, 404 where there is nothing.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};

const token: JsonObject = {
  type: "http",
  scheme: "bearer",
  description: "An API token, or the `jwt` of a login. The actions that are named are those that it has to be allowed.",
};

/**
 * Describes the routes of an application, with requests and answers, from the same schemas that validate. Equal
 * declarations give equal documents, in the same order.
 *
 * @param config the path prefix, the GraphQL endpoint, the rules for bodies, and whether zones are filtered
 * @param features describes the routes of optional features
 */
export const openapiDocument = async (
  application: Described,
  { rest, graphql, documents, search }: Pick<Config, "rest" | "graphql" | "documents" | "search">,
  features: DescribeRoutes,
): Promise<JsonObject> => {
  const { contentTypes, components } = application;
  const declarations = { contentTypes, components };
  const { strictRelations } = documents;
  const declared = { ...declarations, names: namesOf(declarations), strictRelations, filtersZones: search.zoneFilters };
  const hasUsers = userUid in contentTypes;
  const groups = [builtInGroup(hasUsers), ...(await features(declared))];
  const parts = [
    ...contentParts(application, declared, rest.prefix),
    ...groups.flatMap((group) => builtInParts(group, rest.prefix)),
    ...graphqlParts(graphql),
  ];
  const paths = pathsOf(parts);
  const used = usedComponents(paths, {
    parameters: { ...parameters(declared), ...builtInParameters },
    responses: { Error: errorResponse },
    schemas: {
      ...answerSchemas(declared),
      ...bodySchemas(declared),
      ...querySchemas(declared),
      ...(hasUsers ? builtInSchemas : {}),
      Pagination: paginationSchema,
      Error: errorSchema,
      ...Object.fromEntries(parts.flatMap(({ defs = {} }) => Object.entries(defs))),
    },
  });
  return {
    openapi: "3.1.0",
    info: { title: "Content API", version: "1.0.0" },
    servers: [{ url: "/" }],
    tags: [...new Set(parts.map(({ description }) => description.tag))].map((name) => ({ name })),
    paths,
    components: { securitySchemes: { token }, ...used },
  };
};
