/** Describes routes of the application's own code by their schemas; those without schemas are only listed. */
import type { z } from "zod";
import { type RouteSchemas, schemasOfHandler } from "../http/rest/schemas.ts";
import { plainSchema } from "../schema/validation/plain-schema.ts";
import { jsonBody, type Route, templateOf } from "./endpoint.ts";
import { hoisted, type JsonObject } from "./json-schema.ts";
import { pascal } from "./names.ts";

const hoistedSchema = (schema: z.ZodType, id: string, io: "input" | "output") =>
  hoisted(plainSchema(schema, io), `${id}.`);

const queryParameters = ({ properties = {}, required = [] }: JsonObject): readonly JsonObject[] =>
  Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    ...(Array.isArray(required) && required.includes(name) ? { required: true } : {}),
    ...(isStructured(schema) ? { style: "deepObject", explode: true } : {}),
    schema,
  }));

const isStructured = (schema: JsonObject[string]): boolean =>
  typeof schema === "object" && schema !== null && "type" in schema && schema["type"] === "object";

const operationIdOf = ({ method, path }: Route, prefix: string): string => {
  const words = templateOf(path.slice(prefix.length)).replaceAll(/[{}]/g, "");
  return `${method.toLowerCase()}${pascal(words)}`;
};

/** The description of a route of an extension. */
export const describeOwnRoute = (route: Route, prefix: string, tag: string) => {
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
      ...(query ? { parameters: queryParameters(query.schema) } : {}),
      ...(body ? { body: jsonBody(body.schema) } : {}),
      answers: { [said.status ?? 200]: answer?.schema ?? {} },
    },
    defs: { ...body?.defs, ...query?.defs, ...answer?.defs },
  };
};
