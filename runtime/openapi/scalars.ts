/** Single values: as answers show them, and as bodies hold them. */
import { z } from "zod";
import type { ScalarType } from "../schema/content-type.ts";
import { FORMS, type ScalarForm } from "../schema/scalar-form.ts";
import { kindOf } from "../schema/validation/kinds.ts";
import { type SchemaMember } from "../schema/validation/members.ts";
import { plainSchema } from "../schema/validation/plain-schema.ts";
import { instant, integer, type JsonObject, ref, text, truth } from "./json-schema.ts";

const SHOWN: Readonly<Record<ScalarForm, JsonObject>> = {
  text,
  number: { type: "number" },
  digits: { type: "string", pattern: String.raw`^-?\d+$` },
  boolean: truth,
  date: text,
  instant,
  epoch: { type: "string", pattern: String.raw`^-?\d+$` },
  json: {},
};

/** The values of an enumeration; undefined for other schemas. */
const valuesOf = (core: z.core.$ZodType): readonly string[] | undefined =>
  core instanceof z.ZodEnum ? core.options.map(String) : undefined;

/** A value as answers show it. */
export const shownScalar = (type: ScalarType, member: SchemaMember | undefined): JsonObject => {
  if (type === "enumeration") {
    const values = member && valuesOf(member.core);
    return values === undefined ? text : { type: "string", enum: [...values] };
  }
  if (type === "integer") return integer;
  if (type === "blocks") return ref("Blocks");
  if (type === "date") return { type: "string", format: "date" };
  return SHOWN[FORMS[type]];
};

export interface Hoisted {
  readonly schema: JsonObject;
  /** Schemas that it refers to, by name. */
  readonly defs: JsonObject;
}

/** What a schema has in `$defs`, as schemas of the whole document, whose names begin with `prefix`. */
export const hoisted = ({ $defs = {}, ...own }: JsonObject, prefix: string): Hoisted => {
  const moved = (value: unknown): JsonObject =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', `"#/components/schemas/${prefix}`));
  const defs = Object.entries($defs ?? {}).map(([name, value]) => [`${prefix}${name}`, withoutId(moved(value))]);
  return { schema: moved(own), defs: Object.fromEntries(defs) };
};

/** Zod writes the name of a schema into it, where JSON Schema would take it for an address. */
const withoutId = ({ id: _id, ...schema }: JsonObject): JsonObject => schema;

/** A value as bodies hold it: what Zod asks for, in the words of JSON Schema. */
export const writtenScalar = ({ core }: SchemaMember): JsonObject => {
  const kind = kindOf(core)?.kind;
  if (kind === "json") return {};
  if (kind === "blocks") return ref("Blocks");
  if (kind === "password") return { ...plainSchema(core), format: "password" };
  if (kind === "instant") {
    const { format } = plainSchema(core);
    // A time of day has no zone here, which the format of that name asks for.
    return format === undefined || format === "time" ? text : { type: "string", format };
  }
  return plainSchema(core);
};
