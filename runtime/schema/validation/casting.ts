/** What JSON and forms may carry for a type, turned into the type's own value. What is not understood stays as it is. */

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

/** Numeric text becomes a number; anything else that is no number becomes NaN, which no number type accepts. */
export const castNumber = (value: unknown): unknown => {
  if (value === null || value === undefined) return value;
  if (typeof value === "number") return bounded(value);
  if (Array.isArray(value)) return value.length === 1 ? (castNumber(only(value)) ?? Number.NaN) : Number.NaN;
  if (typeof value !== "string") return Number.NaN;
  const text = value.trim();
  return text === "" ? Number.NaN : bounded(Number(text));
};

/** The largest number stands for what is beyond it, so that limits are still checked; no column takes either. */
const bounded = (value: number): number =>
  Number.isNaN(value) ? value : Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);

/** The scalar that a list holds alone. */
const only = ([item]: readonly unknown[]): unknown => (typeof item === "object" ? undefined : item);

/** Whole numbers of any size are kept as text. */
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

/** A number or truth value stands for the enumeration value of the same text. */
export const castEnumeration = (value: unknown): unknown =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : value;

/** Stands for text that is no JSON. */
export const invalidJson = Symbol("invalid JSON");

/** Text is taken as JSON text. */
export const castJson = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return invalidJson;
  }
};

/** Anything that is no list of nodes is no content at all. */
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
