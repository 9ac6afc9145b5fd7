/** Converts checked values of attributes for columns and for the JSON of components. */
import { toDate, toTime } from "../../base/dates.ts";
import { toInstant } from "../../base/instant.ts";
import { formOf } from "../../base/scalar-form.ts";
import type { Value } from "../../database/database.ts";
import type { Json, ScalarField } from "../../schema/content-type.ts";

/**
 * A number as `numeric(10,2)` would round it: half away from zero. Numbers that JavaScript prints with an exponent are
 * less than half a hundredth.
 */
const toDecimal = (value: number): number => {
  const size = Math.abs(value) < 0.005 ? 0 : Number(`${Math.round(Number(`${Math.abs(value)}e2`))}e-2`);
  return value < 0 ? 0 - size : size;
};

/** A time as PostgreSQL prints it: without trailing zeros in the fraction of a second. */
const asPrinted = (time: string): string => time.replace(/\.0*$|(\.\d*[1-9])0+$/, "$1");

/** Whether the value is JSON. Bodies are parsed from JSON, so only missing values are not. */
const isJson = (value: unknown): value is Json => value !== undefined && typeof value !== "function";

/**
 * Replaces unpaired surrogates by U+FFFD, as in text columns. JSON can contain them, but the database cannot read them.
 */
const wellFormed = (value: Json): Json => {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]));
};

/** The text of well-formed JSON. Only unpaired surrogates are printed as `\ud…`, so most values need no second look. */
const jsonText = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.includes("\\ud") ? JSON.stringify(wellFormed(value)) : text;
};

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** The value for a component's JSON. */
export const toJson = ({ type }: ScalarField, value: unknown): Json => {
  if (value === null || value === undefined) return null;
  switch (formOf(type)) {
    case "date":
      return toDate(value);
    case "time":
      return asPrinted(toTime(value));
    case "instant":
    case "epoch":
      return toInstant(value);
    case "decimal":
      return typeof value === "number" ? toDecimal(value) : null;
    case "text":
    case "integer":
    case "number":
    case "digits":
    case "boolean":
    case "json":
      return isJson(value) ? wellFormed(value) : null;
  }
};

/** The value for a column. */
export const toColumn = (field: ScalarField, value: unknown): Value => {
  if (value === null || value === undefined) return null;
  switch (formOf(field.type)) {
    case "json":
      return isJson(value) ? jsonText(value) : "null";
    case "instant":
    case "epoch":
      return toInstant(value).slice(0, -1);
    case "decimal":
      return String(value);
    case "text":
    case "integer":
    case "number":
    case "digits":
    case "boolean":
    case "date":
    case "time": {
      const converted = toJson(field, value);
      return typeof converted === "object" ? JSON.stringify(converted) : converted;
    }
  }
};

/** Whether nothing is stored: null and the empty text, which unique attributes may repeat. */
export const isNothing = (stored: unknown): boolean => stored === null || stored === undefined || stored === "";

/** A column's value as input for the validators. */
export const fromColumn = ({ type }: ScalarField, value: Value): unknown => {
  if (value === null) return null;
  const form = formOf(type);
  if (form === "json") return JSON.parse(String(value));
  return form === "decimal" ? Number(value) : value;
};
