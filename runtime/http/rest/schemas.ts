/** Zod schemas of routes that an application adds: they are checked, and the OpenAPI document tells of them. */
import type { MiddlewareHandler } from "hono";
import type { z } from "zod";
import { validationError } from "../../schema/validation/check.ts";
import type { AppEnv } from "../context.ts";
import { parsedQueryOf } from "./read-request.ts";

/** What a route takes and answers. */
export interface RouteSchemas<Body extends z.ZodType = z.ZodType, Query extends z.ZodObject = z.ZodObject> {
  /** A line for people. */
  readonly summary?: string;
  /** What clients that are made from the document call it; made of method and path where it is left out. */
  readonly operationId?: string;
  /** The JSON body. */
  readonly body?: Body;
  /** The query string, as `qs` reads it: numbers are texts there. */
  readonly query?: Query;
  /** The body of the answer. It is told, not checked. */
  readonly answer?: z.ZodType;
  /** The status of the answer; 200 when it is left out. */
  readonly status?: number;
}

/** What is attached to the handlers that `schemas` makes. */
const schemasOf: unique symbol = Symbol("schemas");

const isMarked = (handler: object): handler is { [schemasOf]: RouteSchemas } => schemasOf in handler;

/** What a handler says of its route, when it is one that {@link schemas} made. */
export const schemasOfHandler = (handler: object): RouteSchemas | undefined =>
  isMarked(handler) ? handler[schemasOf] : undefined;

const checked = async <Schema extends z.ZodType>(schema: Schema, value: unknown): Promise<z.output<Schema>> => {
  const { success, data, error } = await schema.safeParseAsync(value);
  if (success) return data;
  throw validationError(
    error.issues.map(({ path, message }) => ({ path: path.map(String), message, name: "ValidationError" })),
  );
};

type Env<Body extends z.ZodType, Query extends z.ZodObject> = AppEnv & {
  Variables: { body: z.output<Body>; query: z.output<Query> };
};

/**
 * Lets only requests pass whose body and query string are what the schemas ask for: behind it `c.get("body")` and
 * `c.get("query")` are what Zod made of them. Others get a 400 that lists every fault. It stands behind `can`.
 */
export const schemas = <Body extends z.ZodType = z.ZodUnknown, Query extends z.ZodObject = z.ZodObject>(
  route: RouteSchemas<Body, Query>,
): MiddlewareHandler<Env<Body, Query>> => {
  const check: MiddlewareHandler<Env<Body, Query>> = async (c, next) => {
    if (route.body) c.set("body", await checked(route.body, c.get("body")));
    if (route.query) c.set("query", await checked(route.query, parsedQueryOf(c)));
    return next();
  };
  return Object.assign(check, { [schemasOf]: route });
};
