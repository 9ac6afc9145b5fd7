/** Checked values of single attributes, as columns and the JSON of components hold them. */
import { toDate, toTime } from "../../base/dates.ts";
import { toInstant } from "../../base/instant.ts";
import type { Value } from "../../database/database.ts";
import type { Json, ScalarField } from "../../schema/content-type.ts";

/** `numeric(10,2)` rounds half away from zero. What is printed with an exponent is less than half a hundredth. */
const toDecimal = (value: number): number => {
  const size = Math.abs(value) < 0.005 ? 0 : Number(`${Math.round(Number(`${Math.abs(value)}e2`))}e-2`);
  return value < 0 ? 0 - size : size;
};

/** A time as PostgreSQL prints it: without zeros at the end of a second's fraction. */
const asPrinted = (time: string): string => time.replace(/\.0*$|(\.\d*[1-9])0+$/, "$1");

/** Bodies come from JSON, so that their values are JSON unless they are missing. */
const isJson = (value: unknown): value is Json => value !== undefined && typeof value !== "function";

/** Halves of surrogate pairs become U+FFFD, as in text columns: JSON could hold them, and the database not read it. */
const wellFormed = (value: Json): Json => {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]));
};

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** A value inside a component's JSON. */
export const toJson = ({ type }: ScalarField, value: unknown): Json => {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "date":
      return toDate(value);
    case "time":
      return asPrinted(toTime(value));
    case "datetime":
    case "timestamp":
      return toInstant(value);
    case "decimal":
      return typeof value === "number" ? toDecimal(value) : null;
    default:
      return isJson(value) ? wellFormed(value) : null;
  }
};

/** A value in a column of its own. */
export const toColumn = (field: ScalarField, value: unknown): Value => {
  if (value === null || value === undefined) return null;
  switch (field.type) {
    case "json":
    case "blocks":
      return JSON.stringify(toJson(field, value));
    case "datetime":
    case "timestamp":
      return toInstant(value).slice(0, -1);
    case "decimal":
      return String(value);
    default: {
      const converted = toJson(field, value);
      return typeof converted === "object" ? JSON.stringify(converted) : converted;
    }
  }
};

/** What the validators see of a stored value. */
export const fromColumn = ({ type }: ScalarField, value: Value): unknown => {
  if (value === null) return null;
  switch (type) {
    case "json":
    case "blocks":
      return JSON.parse(String(value));
    case "decimal":
      return Number(value);
    default:
      return value;
  }
};
