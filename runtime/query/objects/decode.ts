/** Single values as code sees them: what their JSON text would be read as. */
import type { Value } from "../../database/database.ts";
import type { ScalarType } from "../../schema/content-type.ts";
import { isoInstant } from "../json/encode.ts";

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

/** What a column's value is for code. */
export const decoderOf = (type: ScalarType): Decode => {
  switch (type) {
    case "integer":
    case "float":
    case "decimal":
      return number;
    case "biginteger":
    case "date":
    case "time":
      return text;
    case "datetime":
      return instant;
    case "timestamp":
      return epoch;
    case "json":
    case "blocks":
      return json;
    default:
      return asIs;
  }
};

/** The same for a value inside a component's JSON. Instants are ISO 8601 there. */
export const decodeEntry = (type: ScalarType, value: unknown): unknown => {
  if (value === undefined || value === null) return null;
  switch (type) {
    case "biginteger":
      return String(value);
    case "timestamp":
      return String(Date.parse(String(value)));
    default:
      // What several documents lead to is parsed once, and every object is its owner's alone.
      return typeof value === "object" ? structuredClone(value) : value;
  }
};
