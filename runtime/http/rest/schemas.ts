/**
 * Zod schemas for routes that an application adds: requests are validated by them, and the OpenAPI document includes
 * them.
 */
import type { MiddlewareHandler } from "hono";
import type { z } from "zod";
import { validationError } from "../../schema/validation/check.ts";
import type { RouteEnv } from "../context.ts";
import { parsedQueryOf } from "./exchange.ts";

/** The schemas of what a route takes and answers. */
export interface RouteSchemas<Body extends z.ZodType = z.ZodType, Query extends z.ZodObject = z.ZodObject> {
  /** One line that describes the route, for the OpenAPI document. */
  readonly summary?: string;
  /** The operation's name in clients generated from the OpenAPI document; made from method and path if omitted. */
  readonly operationId?: string;
  /** The JSON body. */
  readonly body?: Body;
  /** The query string as parsed by `qs`: numbers are strings there. */
  readonly query?: Query;
  /** The body of the response. It is documented, but not validated. */
  readonly answer?: z.ZodType;
  /** The status of the response; 200 by default. */
  readonly status?: number;
}

/** The key under which handlers made by `schemas` store their schemas. */
const schemasOf: unique symbol = Symbol("schemas");

const isMarked = (handler: object): handler is { [schemasOf]: RouteSchemas } => schemasOf in handler;

/** The schemas of a handler, if it was made by {@link schemas}. */
export const schemasOfHandler = (handler: object): RouteSchemas | undefined =>
  isMarked(handler) ? handler[schemasOf] : undefined;

const checked = async <Schema extends z.ZodType>(schema: Schema, value: unknown): Promise<z.output<Schema>> => {
  const { success, data, error } = await schema.safeParseAsync(value);
  if (success) return data;
  throw validationError(
    error.issues.map(({ path, message }) => ({ path: path.map(String), message, name: "ValidationError" })),
  );
};

type Env<Body extends z.ZodType, Query extends z.ZodObject> = RouteEnv & {
  Variables: { body: z.output<Body>; query: z.output<Query> };
};

/**
 * Middleware that validates the body and query string of a request. Handlers behind it find the parsed values in
 * `c.get("body")` and `c.get("query")`. Invalid requests get a 400 that lists every fault. Put it behind `can`.
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
