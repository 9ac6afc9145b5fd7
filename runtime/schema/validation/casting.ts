/** Casts values from JSON and forms to the value of a type. Values that cannot be cast stay unchanged. */
import { toDate, toTime } from "../../base/dates.ts";
import { toInstant } from "../../base/instant.ts";
import type { ScalarType } from "../../base/scalar-form.ts";
import { invalidJson } from "./structures.ts";

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

/** Casts numeric text to a number. Other values that are not numbers become NaN, which no number type accepts. */
const castNumber = (value: unknown): unknown => {
  if (value === null || value === undefined || typeof value === "number") return value;
  if (Array.isArray(value)) return value.length === 1 ? (castNumber(only(value)) ?? Number.NaN) : Number.NaN;
  if (typeof value !== "string") return Number.NaN;
  const text = value.trim();
  return text === "" ? Number.NaN : Number(text);
};

/** The only item of a list, if it is a scalar. */
const only = ([item]: readonly unknown[]): unknown => (typeof item === "object" ? undefined : item);

/** Integers of any size stay text. */
const castBigInteger = (value: unknown): unknown => {
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value).toString();
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value;
  if (typeof value !== "string" || !/^\s*[-+]?\d+\s*$/.test(value)) return value;
  return BigInt(value.trim().replace(/^\+/, "")).toString();
};

const castBoolean = (value: unknown): unknown => {
  const word = Array.isArray(value) && value.length === 1 ? only(value) : value;
  return typeof word === "string" || typeof word === "number" ? (BOOLEANS[String(word).toLowerCase()] ?? value) : value;
};

/** A number or boolean is cast to text, to match an enumeration value. */
const castEnumeration = (value: unknown): unknown =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : value;

/** Parses text as JSON. */
const castJson = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return invalidJson;
  }
};

/** Values that are not a list of nodes become null. */
const castBlocks = (value: unknown): unknown => {
  if (value === undefined) return undefined;
  const parsed = castJson(value);
  return Array.isArray(parsed) ? parsed : null;
};

type Cast = (value: unknown) => unknown;

/** Nothing to cast. */
const asIs: Cast = (value) => value;

const unlessMissing =
  (cast: Cast): Cast =>
  (value) =>
    value === null || value === undefined ? value : cast(value);

/** How values of each type are cast. The casts of dates, times and instants throw ValidationErrors for invalid ones. */
export const CASTS: Readonly<Record<ScalarType, Cast>> = {
  string: asIs,
  text: asIs,
  richtext: asIs,
  email: asIs,
  password: asIs,
  uid: asIs,
  enumeration: castEnumeration,
  integer: castNumber,
  biginteger: castBigInteger,
  float: castNumber,
  decimal: castNumber,
  date: unlessMissing(toDate),
  time: unlessMissing(toTime),
  datetime: unlessMissing(toInstant),
  timestamp: unlessMissing(toInstant),
  boolean: castBoolean,
  json: castJson,
  blocks: castBlocks,
};
