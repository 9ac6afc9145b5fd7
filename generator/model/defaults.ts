import { formOf, isScalarType, type ScalarForm } from "../../runtime/base/scalar-form.ts";
import type { PreparedAttribute } from "./prepared.ts";

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isDigits = (value: unknown): boolean =>
  Number.isSafeInteger(value) || (typeof value === "string" && /^-?\d+$/.test(value));
const isInstant = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value));
const matches = (pattern: RegExp) => (value: unknown) => typeof value === "string" && pattern.test(value);

type Rule = readonly [expected: string, accepts: (value: unknown) => boolean];

/** The requirement for a default: in words, and as a test. */
const RULES: Readonly<Record<ScalarForm, Rule>> = {
  text: ["text", isText],
  integer: ["a whole number", (value) => Number.isInteger(value)],
  digits: ["digits as text", isDigits],
  number: ["a number", isNumber],
  decimal: ["a number", isNumber],
  boolean: ["true, false or null", (value) => typeof value === "boolean"],
  date: ["a date such as 2025-01-31", matches(/^\d{4}-\d{2}-\d{2}$/)],
  time: ["a time such as 09:30:00.000", matches(/^\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/)],
  instant: ["an instant such as 2025-01-31T09:30:00.000Z", isInstant],
  epoch: ["an instant", (value) => isInstant(value) || isNumber(value)],
  json: ["JSON", () => true],
};

const BLOCKS: Rule = ["a list of nodes", (value) => Array.isArray(value)];

/** Whether a default means the creation time, in the reference service's notation or in SQL's. */
export const isNow = (type: string, value: unknown): value is "now" | "now()" =>
  (value === "now" || value === "now()") && (type === "datetime" || type === "timestamp");

/**
 * The requirement for an attribute's default, in words, if `value` does not meet it; else undefined. Null always does.
 */
export const expectedDefault = (schema: PreparedAttribute, value: unknown): string | undefined => {
  if (value === null || isNow(schema.type, value)) return undefined;
  if (schema.type === "enumeration")
    return typeof value === "string" && schema.enum.includes(value)
      ? undefined
      : 'one of the values of "enum", or null';
  if (!isScalarType(schema.type)) return undefined;
  const [expected, accepts] = schema.type === "blocks" ? BLOCKS : RULES[formOf(schema.type)];
  return accepts(value) ? undefined : expected;
};
