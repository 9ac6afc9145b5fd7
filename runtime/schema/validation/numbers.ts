/** Builders of number attributes. */
import { z } from "zod";
import type { AttributeOptions, AttributeValidator } from "./attribute.ts";
import { attribute } from "./base.ts";
import { castBigInteger, castNumber } from "./casting.ts";

const INT4 = { min: -(2 ** 31), max: 2 ** 31 - 1 };
const INT8 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
/** `numeric(10,2)` holds eight digits before the point. */
const DECIMAL = { min: -99_999_999.99, max: 99_999_999.99 };
const FLOAT8 = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE };

/** Limits, both included. A draft keeps the upper one only. */
export interface NumberOptions extends AttributeOptions {
  readonly min?: number;
  readonly max?: number;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** A draft keeps the upper limit and the column's range. */
const numberAttribute = (options: NumberOptions, base: z.ZodNumber, column: Range): AttributeValidator => {
  const max = Math.min(options.max ?? column.max, column.max);
  const lenient = base.min(column.min).max(max);
  const full = base.min(Math.max(options.min ?? column.min, column.min)).max(max);
  return attribute(options, { full, lenient, cast: castNumber });
};

const finite = z.number().refine((value) => Math.abs(value) < Number.MAX_VALUE, { params: { rule: "finite" } });
const whole = z
  .number()
  .refine(Number.isInteger, { params: { rule: "integer" } })
  .meta({ type: "integer" });

/** A whole number of 32 bits. Text of digits is taken as the number. */
export const integer = (options: NumberOptions = {}): AttributeValidator => numberAttribute(options, whole, INT4);
/** A number with two places after the point, within `numeric(10,2)`. */
export const decimal = (options: NumberOptions = {}): AttributeValidator => numberAttribute(options, finite, DECIMAL);
/** A number of double precision. */
export const float = (options: NumberOptions = {}): AttributeValidator => numberAttribute(options, finite, FLOAT8);

export interface BigIntegerOptions extends AttributeOptions {
  /** Limits given as digits in text are not enforced, as the wire contract has it. */
  readonly min?: number | string;
  readonly max?: number | string;
}

const limit = (value: number | string | undefined, otherwise: bigint): bigint =>
  typeof value === "number" ? BigInt(Math.trunc(value)) : otherwise;

const within = (min: bigint, max: bigint): z.ZodType =>
  z.unknown().check(({ value, issues }) => {
    if (typeof value !== "string" || !/^-?\d+$/.test(value)) {
      issues.push({ code: "custom", input: value, params: { rule: "biginteger" } });
    } else if (BigInt(value) < min) {
      issues.push({ code: "too_small", origin: "bigint", minimum: min, input: value, inclusive: true });
    } else if (BigInt(value) > max) {
      issues.push({ code: "too_big", origin: "bigint", maximum: max, input: value, inclusive: true });
    }
  });

/** A whole number as text, in the range of `bigint`. */
export const biginteger = (options: BigIntegerOptions = {}): AttributeValidator => {
  const max = limit(options.max, INT8.max);
  return attribute(options, {
    full: within(limit(options.min, INT8.min), max),
    lenient: within(INT8.min, max),
    cast: castBigInteger,
  });
};
