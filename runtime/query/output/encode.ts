import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
/** Writes single values as JSON text. */
import type { Value } from "../../database/database.ts";
import type { ScalarType } from "../../schema/content-type.ts";

export type Encode = (value: Value) => string;

/**
 * What JSON escapes in texts: quotes, backslashes, control characters and halves of pairs. Most texts have nothing of it, and
 * are the same between quotes.
 */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

const text: Encode = (value) => {
  if (value === null) return "null";
  return typeof value !== "string" || ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`;
};

/** NaN and infinity, which only SQL can store, are null in JSON. */
const number: Encode = (value) => {
  if (value === null) return "null";
  const parsed = typeof value === "number" ? value : Number(value);
  return Number.isFinite(parsed) ? String(parsed) : "null";
};

const boolean: Encode = (value) => (value === null ? "null" : String(value));

/** For values such as digits and dates, in which nothing has to be escaped. */
const plain: Encode = (value) => (value === null ? "null" : `"${value}"`);

/** For JSON columns, whose value is JSON text already. */
const verbatim: Encode = (value) => (value === null ? "null" : String(value));

/** The time of an instant in PostgreSQL's format, with milliseconds. */
const timeOf = (printed: string): string =>
  printed.length > 20 ? printed.slice(11, 23).padEnd(12, "0") : `${printed.slice(11, 19)}.000`;

/** Converts an instant from PostgreSQL's format (`2026-01-02 03:04:05.6`) to ISO 8601 with milliseconds. */
export const isoInstant = (printed: string): string => `${printed.slice(0, 10)}T${timeOf(printed)}Z`;

/** The same in quotes: each row has several, so it is put together at once. */
const quotedInstant = (printed: string): string => `"${printed.slice(0, 10)}T${timeOf(printed)}Z"`;

const instant: Encode = (value) => (value === null ? "null" : quotedInstant(String(value)));

const epoch: Encode = (value) => (value === null ? "null" : `"${Date.parse(isoInstant(String(value)))}"`);

const ENCODERS: Readonly<Record<ScalarForm, Encode>> = {
  text,
  integer: number,
  number,
  decimal: number,
  digits: plain,
  boolean,
  date: plain,
  time: plain,
  instant,
  epoch,
  json: verbatim,
};

/** The function that writes a column's values as JSON. */
export const encoderOf = (type: ScalarType): Encode => ENCODERS[formOf(type)];

/** Writes a value from a component's JSON like the value of a column. Instants are stored in ISO 8601 there. */
export const encodeEntry = (type: ScalarType, value: unknown): string => {
  if (value === undefined || value === null) return "null";
  const form = formOf(type);
  if (form === "digits") return JSON.stringify(String(value));
  return form === "epoch" ? `"${Date.parse(String(value))}"` : JSON.stringify(value);
};
