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

const convert = (schema: z.core.$ZodType, io: "input" | "output"): JsonObject => {
  const made: unknown = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  if (!isJsonObject(made)) return {};
  const { $schema: _version, "~standard": _standard, minimum, maximum, pattern, ...rest } = made;
  return {
    ...rest,
    ...(minimum === undefined || BOUNDS.has(Number(minimum)) ? {} : { minimum }),
    ...(maximum === undefined || BOUNDS.has(Number(maximum)) ? {} : { maximum }),
    // The format for e-mail addresses already says what the long pattern does.
    ...(pattern === undefined || rest["format"] !== undefined ? {} : { pattern }),
  };
};

const plain = {
  input: remembering((schema: z.core.$ZodType) => convert(schema, "input")),
  output: remembering((schema: z.core.$ZodType) => convert(schema, "output")),
};

/** The JSON Schema of a Zod schema, without redundant members. It is made once, as bodies ask twice for each attribute. */
export const plainSchema = (schema: z.core.$ZodType, io: "input" | "output" = "input"): JsonObject => plain[io](schema);
