/** Number schemas that Zod does not have. */
import { z } from "zod";
import { mark } from "./kinds.ts";

/** `numeric(10,2)` holds eight digits before the point. */
export const DECIMAL = { min: -99_999_999.99, max: 99_999_999.99 };
export const INT8 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

const anyDecimal = mark(z.number().min(DECIMAL.min).max(DECIMAL.max), { kind: "decimal" });

/** A number within `numeric(10,2)`. */
export const decimal = (): z.ZodNumber => anyDecimal;

/** Limits, both inclusive. */
export interface BigIntegerOptions {
  readonly min?: number;
  readonly max?: number;
}

const limit = (value: number | undefined, otherwise: bigint): bigint =>
  value === undefined ? otherwise : BigInt(Math.trunc(value));

/** A 64-bit integer as text, since JSON numbers would lose precision. */
export const biginteger = (options: BigIntegerOptions = {}): z.ZodString => {
  const min = limit(options.min, INT8.min);
  const max = limit(options.max, INT8.max);
  const digits = z.string().regex(/^-?\d+$/, { error: "Must be a whole number", abort: true });
  const isWithin = (text: string): boolean => BigInt(text) >= min && BigInt(text) <= max;
  return mark(digits.refine(isWithin, { error: `Must be from ${min} to ${max}` }), { kind: "biginteger", min, max });
};

/** The range of an `integer` column, such as a row id. */
export const INT4 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** Whether a value is an integer that fits into an `integer` column. */
export const isInt4 = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= INT4.min && value <= INT4.max;
