/** Converts a Zod schema to JSON Schema. */
import { z } from "zod";
import { isRecord } from "../../base/is-record.ts";
import { remembering } from "../../base/remembering.ts";
import type { Json } from "../document.ts";

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Limits that only repeat the range of the type. */
const BOUNDS = new Set([2 ** 31 - 1, -(2 ** 31), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

const isJsonObject = (value: unknown): value is JsonObject => isRecord(value);

/** Removes redundant members: limits of the type, and the pattern of a format. */
const concise = ({ minimum, maximum, pattern, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  ...(minimum === undefined || BOUNDS.has(Number(minimum)) ? {} : { minimum }),
  ...(maximum === undefined || BOUNDS.has(Number(maximum)) ? {} : { maximum }),
  // The format for e-mail addresses already says what the long pattern does.
  ...(pattern === undefined || rest["format"] !== undefined ? {} : { pattern }),
});

const convert = (schema: z.core.$ZodType, io: "input" | "output", reused: "inline" | "ref" = "inline"): JsonObject => {
  const made: unknown = z.toJSONSchema(schema, { io, reused, unrepresentable: "any" });
  if (!isJsonObject(made)) return {};
  const { $schema: _version, "~standard": _standard, ...rest } = made;
  return rest;
};

/** Whether a schema represents no value: null, the empty text or the empty list. */
const isNothing = (schema: Json): boolean =>
  isJsonObject(schema) && (schema["type"] === "null" || schema["const"] === "" || schema["maxItems"] === 0);

/** The schema of a value that is present: without its default, and without what represents no value. */
const present = ({ default: _default, readOnly: _readOnly, ...schema }: JsonObject): JsonObject => {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type)) {
    return { ...rest, type: type.find((name) => name !== "null") ?? null };
  }
  if (!Array.isArray(anyOf)) return schema;
  const [only, ...others] = anyOf.filter((option) => !isNothing(option));
  return isJsonObject(only) && others.length === 0 ? present({ ...rest, ...only }) : schema;
};

const plain = {
  input: remembering((schema: z.core.$ZodType) => concise(convert(schema, "input"))),
  output: remembering((schema: z.core.$ZodType) => concise(convert(schema, "output"))),
};

/** The JSON Schema of a Zod schema, without redundant members. It is made once, as bodies ask twice for each attribute. */
export const plainSchema = (schema: z.core.$ZodType, io: "input" | "output" = "input"): JsonObject => plain[io](schema);

/** The JSON Schema of an attribute's values: leaves out that it may be missing or null, and its default. */
export const valueSchema: (schema: z.core.$ZodType) => JsonObject = remembering((schema: z.core.$ZodType) =>
  concise(present(convert(schema, "input"))),
);

/** The same for a list of entries, with references to components: inlined, nested ones would double at each level. */
export const listSchema: (schema: z.core.$ZodType) => JsonObject = remembering((schema: z.core.$ZodType) =>
  present(convert(schema, "input", "ref")),
);
