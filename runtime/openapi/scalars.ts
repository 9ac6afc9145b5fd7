/** Schemas of scalar values, in answers and in bodies. */
import { formOf, type ScalarForm } from "../base/scalar-form.ts";
import type { ScalarType } from "../schema/content-type.ts";
import { type SchemaMember } from "../schema/validation/members.ts";
import { valueSchema } from "../schema/validation/plain-schema.ts";
import { instant, integer, type JsonObject, ref, text, truth } from "./json-schema.ts";

const SHOWN: Readonly<Record<ScalarForm, JsonObject>> = {
  text,
  integer,
  number: { type: "number" },
  decimal: { type: "number" },
  digits: { type: "string", pattern: String.raw`^-?\d+$` },
  boolean: truth,
  date: { type: "string", format: "date" },
  time: text,
  instant,
  epoch: { type: "string", pattern: String.raw`^-?\d+$` },
  json: {},
};

/** A value as answers show it. */
export const shownScalar = (type: ScalarType, member: SchemaMember | undefined): JsonObject => {
  if (type === "enumeration") {
    const values = member && valueSchema(member.schema)["enum"];
    return values === undefined ? text : { type: "string", enum: values };
  }
  return type === "blocks" ? ref("Blocks") : SHOWN[formOf(type)];
};

export interface Hoisted {
  readonly schema: JsonObject;
  /** Schemas that it refers to, by name. */
  readonly defs: JsonObject;
}

/** Moves a schema's `$defs` to the named schemas of the document, whose names begin with `prefix`. */
export const hoisted = ({ $defs = {}, ...own }: JsonObject, prefix: string): Hoisted => {
  const moved = (value: unknown): JsonObject =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', `"#/components/schemas/${prefix}`));
  const defs = Object.entries($defs ?? {}).map(([name, value]) => [`${prefix}${name}`, withoutId(moved(value))]);
  return { schema: moved(own), defs: Object.fromEntries(defs) };
};

/** Removes `id`, into which Zod writes the schema's name: JSON Schema would read it as an address. */
const withoutId = ({ id: _id, ...schema }: JsonObject): JsonObject => schema;

/** A value in bodies: the Zod schema as JSON Schema. */
export const writtenScalar = (type: ScalarType, { schema }: SchemaMember): JsonObject => {
  switch (type) {
    case "json":
      return {};
    case "blocks":
      return ref("Blocks");
    case "password":
      return { ...valueSchema(schema), format: "password" };
    case "time":
      // Times of day have no zone here, but the format `time` requires one.
      return text;
    default:
      return valueSchema(schema);
  }
};
