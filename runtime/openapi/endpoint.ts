/** Describes routes as operations of the document. */
import type { z } from "zod";
import { isRecord } from "../base/is-record.ts";
import { actionOfHandler, type Router } from "../http/rest/router.ts";
import { plainSchema } from "../schema/validation/plain-schema.ts";
import { type JsonObject, list, record, ref, text } from "./json-schema.ts";
import type { Declared } from "./names.ts";
import { DEEP, inQuery, parameterRef } from "./queries.ts";

/** A route that clients can call. */
export interface Route {
  readonly method: string;
  /** The path as in Hono: `/api/articles/:documentId`. */
  readonly path: string;
  /** The action that the caller must be allowed; undefined if the route checks none. */
  readonly action: string | undefined;
  readonly handlers: readonly object[];
}

/** The description of a route, besides its path and permission. */
export interface OperationDescription {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters?: readonly JsonObject[];
  /** The body by its media type. */
  readonly body?: JsonObject;
  /** The media type of responses, if it is not JSON. */
  readonly media?: string;
  /** Bodies of responses by status; null for a response without one. */
  readonly answers: Readonly<Record<string, JsonObject | null>>;
  /** The body of all other responses, if it is not the usual error. */
  readonly otherwise?: JsonObject;
}

/** The same without the tag, which a group of routes shares. */
export type Description = Omit<OperationDescription, "tag">;

/** Descriptions of routes by method and path below the prefix. */
export type Descriptions = Readonly<Record<string, OperationDescription>>;

/** Routes of the runtime, and the descriptions of all of them. */
export interface RouteGroup {
  readonly routers: readonly Pick<Router, "routes">[];
  readonly descriptions: Descriptions;
}

/** Describes routes that are made from the declarations of a project. */
export type DescribeRoutes = (declared: Declared) => Promise<readonly RouteGroup[]>;

export const tagged = (tag: string, operations: Readonly<Record<string, Description>>): Descriptions =>
  Object.fromEntries(Object.entries(operations).map(([route, description]) => [route, { ...description, tag }]));

/** An operation with one response; null stands for a redirect. */
export const operation = (
  operationId: string,
  summary: string,
  answer: JsonObject | null,
  more: Partial<Description> = {},
): Description => ({ operationId, summary, answers: answer === null ? { 302: null } : { 200: answer }, ...more });

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** The routes of a router, each once, in order. */
export const routesOf = ({ routes }: Pick<Router, "routes">, prefix: string): readonly Route[] => {
  const found = new Map<string, Route>();
  for (const { method, path, handler } of routes) {
    if (!METHODS.has(method)) continue;
    const key = `${method} ${path}`;
    const known = found.get(key);
    found.set(key, {
      method,
      path: `${prefix}${path}`,
      action: known?.action ?? actionOfHandler(handler),
      handlers: [...(known?.handlers ?? []), handler],
    });
  }
  return [...found.values()];
};

const JSON_TYPE = "application/json";

/** A body of JSON. */
export const jsonBody = (schema: JsonObject): JsonObject => ({ [JSON_TYPE]: { schema } });

/** The parameters that a validator of queries describes. */
export const queryParameters = (query: z.ZodType): readonly JsonObject[] => parametersOf(plainSchema(query));

/** The parameters that the members of an object describe. */
export const parametersOf = ({ properties = {}, required = [] }: JsonObject): readonly JsonObject[] =>
  Object.entries(properties ?? {}).map(([name, schema]) => {
    const isRequired = Array.isArray(required) && required.includes(name);
    return inQuery(name, schema, "", {
      ...(isRequired ? { required: true } : {}),
      ...(isRecord(schema) && schema["type"] === "object" ? DEEP : {}),
    });
  });

/** What creates a thing: takes what a validator of bodies describes, and answers with the thing. */
export const creation = (body: z.ZodType, made: JsonObject): Partial<Description> => ({
  body: jsonBody(envelope(plainSchema(body))),
  answers: { 201: envelope(made) },
});

/** For operations whose response has no body. */
export const gone = { answers: { 204: null } };

/** The envelope of content. */
export const envelope = (data: JsonObject): JsonObject => record({ data }, ["data"]);

/** The response with one document. */
export const documentAnswer = (name: string): JsonObject => record({ data: ref(name), meta: record({}) }, ["data"]);

/** The response with a page of documents. */
export const pageAnswer = (name: string): JsonObject =>
  record({ data: list(ref(name)), meta: record({ pagination: ref("Pagination") }) }, ["data", "meta"]);

/** `/articles/:id{[0-9]+}` as `/articles/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)\??(?:\{[^}]*\})?/g, "{$1}");

const pathParameters = (template: string): readonly JsonObject[] =>
  [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) =>
    name === "documentId" ? parameterRef(name) : { name, in: "path", required: true, schema: text },
  );

const STATUS: Readonly<Record<string, string>> = {
  "200": "Done.",
  "201": "Made.",
  "204": "Done; there is nothing to show.",
  "302": "Elsewhere.",
};

const answersOf = ({ answers, otherwise, media = JSON_TYPE }: OperationDescription): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => {
      const description = STATUS[status] ?? "An answer.";
      return [status, schema === null ? { description } : { description, content: { [media]: { schema } } }];
    }),
  ),
  default:
    otherwise === undefined
      ? { $ref: "#/components/responses/Error" }
      : { description: "What was wrong.", content: jsonBody(otherwise) },
});

/**
 * An operation of the document. A token is optional; the action says which permission the caller must have.
 *
 * @param template its path
 */
export const operationOf = (
  action: string | undefined,
  template: string,
  description: OperationDescription,
): JsonObject => {
  const parameters = [...pathParameters(template), ...(description.parameters ?? [])];
  return {
    operationId: description.operationId,
    tags: [description.tag],
    summary: description.summary,
    security: [{}, { token: action === undefined ? [] : [action] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(description.body === undefined ? {} : { requestBody: { content: description.body } }),
    responses: answersOf(description),
  };
};
