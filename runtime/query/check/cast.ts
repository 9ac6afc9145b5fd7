import { isDay, toTime } from "../../base/dates.ts";
/** Converts operands to parameters, by the type of the attribute that they are compared with. */
import { ValidationError } from "../../base/errors.ts";
import { toInstant } from "../../base/instant.ts";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import { textFault } from "../../base/text-fault.ts";
import type { ScalarType } from "../../schema/content-type.ts";
import { isInt4 } from "../../schema/validation/numbers.ts";

export type Operand = string | number | boolean;

/** Refuses a text that no stored text can equal. */
export const validText = (raw: string, where: string): string => {
  const fault = textFault(raw);
  if (fault !== undefined) throw new ValidationError(`Invalid value at ${where}. ${fault}`);
  return raw;
};

const text = (raw: unknown, where: string): string => {
  if (typeof raw === "string") return validText(raw, where);
  if (typeof raw === "number" || typeof raw === "boolean" || typeof raw === "bigint") return String(raw);
  throw new ValidationError(`Invalid value at ${where}. Expected a single value`);
};

const integer = (raw: unknown, where: string): number => {
  const value = number(raw, where);
  if (isInt4(value)) return value;
  throw new ValidationError(`Invalid value at ${where}. Expected an integer of at most 32 bits`);
};

const number = (raw: unknown, where: string): number => {
  const trimmed = text(raw, where).trim();
  const value = Number(trimmed);
  if (trimmed === "" || !Number.isFinite(value)) {
    throw new ValidationError(`Invalid value at ${where}. Expected a number`);
  }
  return value;
};

const bigInteger = (raw: unknown, where: string): string => {
  const digits = text(raw, where).trim();
  const value = /^[-+]?\d{1,30}$/.test(digits) ? BigInt(digits.replace(/^\+/, "")) : undefined;
  if (value !== undefined && value === BigInt.asIntN(64, value)) return String(value);
  throw new ValidationError(`Invalid value at ${where}. Expected an integer of at most 64 bits`);
};

const date = (raw: unknown, where: string): string => {
  const value = raw instanceof Date ? raw.toISOString() : text(raw, where);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0];
  if (day === undefined || !isDay(day)) throw new ValidationError("Invalid format, expected yyyy-MM-dd");
  return day;
};

const time = (raw: unknown, where: string): string => toTime(text(raw, where));

/** An instant as text, to compare with a timestamp column in UTC. */
const instant = (raw: unknown, where: string): string =>
  toInstant(raw instanceof Date ? raw.toISOString() : text(raw, where)).slice(0, -1);

const json = (raw: unknown, where: string): string => {
  try {
    // Serialized again, which turns numbers that PostgreSQL cannot hold into null.
    const text = JSON.stringify(typeof raw === "string" ? JSON.parse(raw) : raw);
    if (!text.includes(String.raw`\u0000`)) return text;
  } catch {
    // Not JSON: refused below.
  }
  throw new ValidationError(`Invalid value at ${where}. Expected JSON`);
};

/** Converts one operand. If it does not have the form of the type, throws a 400 that names the attribute by `where`. */
export const cast = (type: ScalarType, raw: unknown, where: string): Operand => CASTS[formOf(type)](raw, where);

/** The boolean for a value: `false`, `f`, `0` and null are false, every other value is true. */
export const truth = (raw: unknown): boolean =>
  !(
    raw === false ||
    raw === 0 ||
    raw === null ||
    raw === undefined ||
    raw === "" ||
    raw === "false" ||
    raw === "f" ||
    raw === "0"
  );

const CASTS: Readonly<Record<ScalarForm, (raw: unknown, where: string) => Operand>> = {
  text,
  integer,
  number,
  decimal: number,
  digits: bigInteger,
  boolean: truth,
  date,
  time,
  instant,
  epoch: instant,
  json,
};

/** The text operand of a LIKE or case-insensitive operator. */
export const textOperand = (raw: unknown, where: string): string => text(raw, where);
