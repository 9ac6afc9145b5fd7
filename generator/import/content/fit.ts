/** Fits single attribute values to their type here; the source's attribute may have had another type. */
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { ValidationError } from "../../../runtime/base/errors.ts";
import { formOf } from "../../../runtime/base/scalar-form.ts";
import { toJson } from "../../../runtime/documents/plan/values.ts";
import type { Json, ScalarField } from "../../../runtime/schema/content-type.ts";
import { biginteger } from "../../../runtime/schema/validation/numbers.ts";
import { storableJson, storableText } from "./storable-text.ts";

/** The stored value, and why it differs from the source's. */
export interface Fitted {
  readonly value: Json;
  readonly problem?: string;
}

const INTEGER = 2_147_483_647;
/** `numeric(10,2)` has eight digits before the point. */
const DECIMAL = 100_000_000;

const UNSTORABLE = "the text holds NUL characters, which were left out, or halves of characters, which were replaced";

const unfit = (problem: string): Fitted => ({ value: null, problem });

/** The longest text that fits the column. */
const longestOf = (column: AnyPgColumn | undefined): number => {
  const length = /^varchar\((\d+)\)$/.exec(column?.getSQLType() ?? "")?.[1];
  return length === undefined ? Infinity : Number(length);
};

const fitText = (value: unknown, longest: number): Fitted => {
  if (typeof value === "object") return unfit("the value is no text");
  const text = storableText(String(value));
  // A text has at most as many characters as JavaScript code units.
  if (text.length > longest && [...text].length > longest)
    return unfit(`the text is longer than ${longest} characters`);
  return text === String(value) ? { value: text } : { value: text, problem: UNSTORABLE };
};

const fitJson = (field: ScalarField, given: unknown): Fitted => {
  const value = toJson(field, given);
  // Most contain none and need no parsing.
  if (!/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(given))) return { value };
  const storable = storableJson(value);
  return JSON.stringify(storable) === JSON.stringify(given) ? { value } : { value: storable, problem: UNSTORABLE };
};

const fitNumber = (value: unknown, smallest: number, largest: number, whole: boolean): Fitted => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return unfit("the value is no number");
  if (whole && !Number.isInteger(number)) return unfit("the value is no whole number");
  if (number < smallest || number > largest) return unfit("the number is too large");
  return { value: number };
};

const fitBigInteger = (value: unknown): Fitted => {
  const text = String(value);
  if (biginteger().safeParse(text).success) return { value: text };
  return unfit(/^-?\d+$/.test(text) ? "the number is too large" : "the value is no whole number");
};

/** An attribute of type `timestamp` is written in milliseconds, which could be mistaken for a year. */
const instantOf = (value: unknown): unknown =>
  typeof value === "string" && /^-?\d+$/.test(value) ? new Date(Number(value)).toISOString() : value;

const fitDate = (field: ScalarField, value: unknown): Fitted => {
  try {
    return { value: toJson(field, field.type === "timestamp" ? instantOf(value) : value) };
  } catch (error) {
    if (error instanceof ValidationError || error instanceof RangeError) return unfit(`the value is no ${field.type}`);
    throw error;
  }
};

/**
 * The value to store for one of the source.
 *
 * @param column where it is stored; undefined inside components
 */
export const fit = (field: ScalarField, value: unknown, column?: AnyPgColumn): Fitted => {
  if (value === null || value === undefined) return { value: null };
  switch (formOf(field.type)) {
    case "integer":
      return fitNumber(value, -INTEGER - 1, INTEGER, true);
    case "digits":
      return fitBigInteger(value);
    case "number":
      return fitNumber(value, -Number.MAX_VALUE, Number.MAX_VALUE, false);
    case "decimal":
      return fitNumber(value, -DECIMAL, DECIMAL, false);
    case "boolean":
      return typeof value === "boolean" ? { value } : unfit("the value is neither true nor false");
    case "date":
    case "time":
    case "instant":
    case "epoch":
      return fitDate(field, value);
    case "json":
      return field.type === "blocks" && !Array.isArray(value)
        ? unfit("the value is no list of blocks")
        : fitJson(field, value);
    case "text":
      return fitText(value, longestOf(column));
  }
};
