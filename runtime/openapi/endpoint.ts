/** Routes as the document tells of them. */
import { actionOfHandler } from "../http/rest/can.ts";
import type { Router } from "../http/rest/router.ts";
import { type JsonObject, list, record, ref, text } from "./json-schema.ts";
import { parameterRef } from "./queries.ts";

/** A route that somebody may ask for. */
export interface Route {
  readonly method: string;
  /** As Hono has it: `/api/articles/:documentId`. */
  readonly path: string;
  /** The action that a caller needs; undefined where the route asks for none. */
  readonly action: string | undefined;
  readonly handlers: readonly object[];
}

/** What is told of a route beside its path and permission. */
export interface Told {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters?: readonly JsonObject[];
  /** The body by its media type. */
  readonly body?: JsonObject;
  /** Bodies of answers by status; null for an answer without one. */
  readonly answers: Readonly<Record<string, JsonObject | null>>;
  /** The body of every other answer, where it is not the error that all others have. */
  readonly otherwise?: JsonObject;
}

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** The routes of a router, each once, in their order. */
export const routesOf = ({ routes }: Pick<Router, "routes">, prefix: string): readonly Route[] => {
  const found = new Map<string, Route>();
  for (const { method, path, handler } of routes) {
    if (!METHODS.has(method) || path.includes("*")) continue;
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

/** What the envelope of content holds. */
export const envelope = (data: JsonObject): JsonObject => record({ data }, ["data"]);

/** The answer with one document. */
export const documentAnswer = (name: string): JsonObject => record({ data: ref(name), meta: record({}) }, ["data"]);

/** The answer with a page of documents. */
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

const answersOf = ({ answers, otherwise }: Told): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => {
      const description = STATUS[status] ?? "An answer.";
      return [status, schema === null ? { description } : { description, content: jsonBody(schema) }];
    }),
  ),
  default:
    otherwise === undefined
      ? { $ref: "#/components/responses/Error" }
      : { description: "What was wrong.", content: jsonBody(otherwise) },
});

/**
 * An operation of the document. Everybody may ask, with a token or without; the action says what a caller has to be
 * allowed.
 *
 * @param template its path
 */
export const operationOf = (action: string | undefined, template: string, told: Told): JsonObject => {
  const parameters = [...pathParameters(template), ...(told.parameters ?? [])];
  return {
    operationId: told.operationId,
    tags: [told.tag],
    summary: told.summary,
    security: [{}, { token: action === undefined ? [] : [action] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(told.body === undefined ? {} : { requestBody: { content: told.body } }),
    responses: answersOf(told),
  };
};
