import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
/** Converts single values for code: to what parsing their JSON text would give. */
import type { Value } from "../../database/database.ts";
import type { ScalarType } from "../../schema/content-type.ts";
import { isoInstant } from "./encode.ts";

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
 * @throws TypeError when it cannot be a value of the type; `what` names it in the message
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

/** Converts a value from a component's JSON for code. Instants are stored in ISO 8601 there. */
export const decodeEntry = (type: ScalarType, value: unknown): unknown => {
  if (value === undefined || value === null) return null;
  const form = formOf(type);
  if (form === "digits") return String(value);
  if (form === "epoch") return String(Date.parse(String(value)));
  // The JSON is parsed once even if several documents share it, so each gets its own copy that it may change.
  return typeof value === "object" ? structuredClone(value) : value;
};
