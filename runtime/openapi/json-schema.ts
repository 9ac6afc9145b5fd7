/** Helpers for JSON Schema as used by OpenAPI 3.1. */
import type { JsonObject } from "../schema/validation/plain-schema.ts";

export type { JsonObject } from "../schema/validation/plain-schema.ts";

/** The prefix of references to named schemas. */
const SCHEMAS = "#/components/schemas/";

/** A reference to a named schema, with annotations. */
export const ref = (name: string, notes: JsonObject = {}): JsonObject => ({ $ref: `${SCHEMAS}${name}`, ...notes });

/** A list of what the schema describes. */
export const list = (items: JsonObject, limits: JsonObject = {}): JsonObject => ({ type: "array", items, ...limits });

/** An object with these members, of which `required` are always present. */
export const record = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  ...(required.length > 0 ? { required } : {}),
  properties,
});

/** An object whose members are always present, except for those whose names end with `?`. */
export const shape = (members: JsonObject): JsonObject => {
  const properties = Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ""), schema]);
  return record(
    Object.fromEntries(properties),
    Object.keys(members).filter((name) => !name.endsWith("?")),
  );
};

/** One of several. */
export const anyOf = (...options: readonly JsonObject[]): JsonObject => ({ anyOf: options });

export const text: JsonObject = { type: "string" };
export const integer: JsonObject = { type: "integer" };
export const truth: JsonObject = { type: "boolean" };
export const instant: JsonObject = { type: "string", format: "date-time" };

/** What the schema describes, or null. */
export const orNull = (schema: JsonObject): JsonObject => {
  const { type, enum: values, ...rest } = schema;
  if (typeof type === "string") {
    const listed = Array.isArray(values) ? { enum: [...values, null] } : {};
    return { type: [type, "null"], ...listed, ...rest };
  }
  return Object.keys(schema).length === 0 ? schema : anyOf(schema, { type: "null" });
};

/** Moves a schema's `$defs` to the named schemas of the document, whose names begin with `prefix`. Returns both. */
export const hoisted = ({ $defs = {}, ...own }: JsonObject, prefix: string) => {
  const moved = (value: unknown): JsonObject =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', `"${SCHEMAS}${prefix}`));
  const defs = Object.entries($defs ?? {}).map(([name, value]) => [`${prefix}${name}`, withoutId(moved(value))]);
  return { schema: moved(own), defs: Object.fromEntries(defs) };
};

/** Removes `id`, into which Zod writes the schema's name: JSON Schema would read it as an address. */
const withoutId = ({ id: _id, ...schema }: JsonObject): JsonObject => schema;
