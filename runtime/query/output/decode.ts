/**
 * Objects for code, with the same content as a REST response but without writing JSON: the values that parsing its JSON
 * would give.
 */
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import type { Value } from "../../database/database.ts";
import type { ScalarType } from "../../schema/content-type.ts";
import { isoInstant } from "./json-text.ts";
import type { Output } from "./output.ts";

export type Decode = (value: Value) => unknown;

const present =
  (decode: (value: string | number | boolean) => unknown): Decode =>
  (value) =>
    value === null ? null : decode(value);

const asIs: Decode = (value) => value;
const number = present(Number);
const text = present(String);
const instant = present((value) => isoInstant(String(value)));
const epoch = present((value) => String(Date.parse(isoInstant(String(value)))));
const json = present((value): unknown => JSON.parse(String(value)));

const DECODERS: Readonly<Record<ScalarForm, Decode>> = {
  text: asIs,
  integer: number,
  number,
  decimal: number,
  digits: text,
  boolean: asIs,
  date: text,
  time: text,
  instant,
  epoch,
  json,
};

/** The function that converts a column's values for code. */
export const decoderOf = (type: ScalarType): Decode => DECODERS[formOf(type)];

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isInstant = (value: unknown): value is string | Date =>
  (isText(value) || value instanceof Date) && !Number.isNaN(new Date(value).valueOf());

/**
 * Converts a value from code to what a column would contain.
 *
 * @throws TypeError when it is not a valid value of the type; `what` names it in the message
 */
export const storedOf = (type: ScalarType, value: unknown, what: string): Value => {
  if (value === null || value === undefined) return null;
  switch (formOf(type)) {
    case "integer":
    case "number":
    case "decimal":
      if (isNumber(value)) return value;
      break;
    case "boolean":
      if (typeof value === "boolean") return value;
      break;
    case "digits":
      if (/^-?\d+$/.test(String(value))) return String(value);
      break;
    case "date":
    case "time":
      if (isText(value) && /^[\d:.-]+$/.test(value)) return value;
      break;
    case "instant":
    case "epoch":
      if (isInstant(value)) return new Date(value).toISOString();
      break;
    case "json":
      return JSON.stringify(value);
    case "text":
      if (isText(value)) return value;
  }
  throw new TypeError(`${what} cannot be shown as ${JSON.stringify(value)}`);
};

/** Converts a value from a component's JSON for code. Instants are stored there in ISO 8601. */
export const decodeEntry = (type: ScalarType, value: unknown): unknown => {
  if (value === undefined || value === null) return null;
  const form = formOf(type);
  if (form === "digits") return String(value);
  if (form === "epoch") return String(Date.parse(String(value)));
  // The JSON is parsed once even if several documents share it, so each gets its own copy, which code may change.
  return typeof value === "object" ? structuredClone(value) : value;
};

/** Each use gets a new object, even if several documents refer to the same row, because code may change it. */
export const objectOutput: Output<undefined, unknown> = {
  column: decoderOf,
  scalar: decodeEntry,
  plain: (value) => value,
  object: (fields) => (state, set, row, value) => {
    const object: Record<string, unknown> = {};
    for (const { name, write } of fields) object[name] = write(state, set, row, value);
    return object;
  },
  list: (_state, _path, items, write) => items.map(write),
  rows: (write) => (state, set, position) => write(state, set, set.rows[position] ?? [], undefined),
};
