/** Number schemas that Zod lacks. */
import { z } from "zod";
import { pathText } from "./print.ts";

/** `numeric(10,2)` holds eight digits before the point. */
const DECIMAL = 99_999_999.99;
const INT8 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

const anyDecimal = z.number().min(-DECIMAL).max(DECIMAL);

/** A number within `numeric(10,2)`. */
export const decimal = (): z.ZodNumber => anyDecimal;

/** Limits, both inclusive. */
export interface BigIntegerOptions {
  readonly min?: number;
  readonly max?: number;
}

const bound = (value: number | undefined, otherwise: bigint): bigint =>
  value === undefined ? otherwise : BigInt(Math.trunc(value));

const notWhole = { error: ({ path }: z.core.$ZodRawIssue) => `${pathText(path)} must be a valid integer` };

const digits = z.string(notWhole).regex(/^-?\d+$/, { ...notWhole, abort: true });

/** A 64-bit integer as text, since JSON numbers would lose precision. */
export const biginteger = (options: BigIntegerOptions = {}): z.ZodString => {
  const minimum = bound(options.min, INT8.min);
  const maximum = bound(options.max, INT8.max);
  return digits.check(({ value, issues }) => {
    const found = { origin: "bigint", inclusive: true, input: value, continue: true } as const;
    if (BigInt(value) < minimum) issues.push({ ...found, code: "too_small", minimum });
    if (BigInt(value) > maximum) issues.push({ ...found, code: "too_big", maximum });
  });
};

/** The range of an `integer` column, such as a row id. */
const INT4 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** Whether a value is an integer that fits into an `integer` column. */
export const isInt4 = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= INT4.min && value <= INT4.max;
