/** Casts values from JSON and forms to the value of a type. Values that cannot be cast stay unchanged. */

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

/** Casts numeric text to a number. Other values that are not numbers become NaN, which no number type accepts. */
export const castNumber = (value: unknown): unknown => {
  if (value === null || value === undefined) return value;
  if (typeof value === "number") return bounded(value);
  if (Array.isArray(value)) return value.length === 1 ? (castNumber(only(value)) ?? Number.NaN) : Number.NaN;
  if (typeof value !== "string") return Number.NaN;
  const text = value.trim();
  return text === "" ? Number.NaN : bounded(Number(text));
};

/** Replaces infinite values by the largest number, so that limits are still checked; no column accepts either. */
const bounded = (value: number): number =>
  Number.isNaN(value) ? value : Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);

/** The only item of a list, if it is a scalar. */
const only = ([item]: readonly unknown[]): unknown => (typeof item === "object" ? undefined : item);

/** Integers of any size stay text. */
export const castBigInteger = (value: unknown): unknown => {
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value).toString();
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value;
  if (typeof value !== "string" || !/^\s*[-+]?\d+\s*$/.test(value)) return value;
  return BigInt(value.trim().replace(/^\+/, "")).toString();
};

export const castBoolean = (value: unknown): unknown => {
  const word = Array.isArray(value) && value.length === 1 ? only(value) : value;
  return typeof word === "string" || typeof word === "number" ? (BOOLEANS[String(word).toLowerCase()] ?? value) : value;
};

/** A number or boolean is cast to text, to match an enumeration value. */
export const castEnumeration = (value: unknown): unknown =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : value;

/** The result for text that is not JSON. */
export const invalidJson = Symbol("invalid JSON");

/** Parses text as JSON. */
export const castJson = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return invalidJson;
  }
};

/** Values that are not a list of nodes become null. */
export const castBlocks = (value: unknown): unknown => {
  if (value === undefined) return undefined;
  if (typeof value !== "string") return Array.isArray(value) ? value : null;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
};
