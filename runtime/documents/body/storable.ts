/**
 * Finds values that no column or entry can store. Most schemas refuse them; but schemas of attributes whose condition
 * is false do not, and those of application code need not.
 */
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { formOf, type ScalarForm } from "../../base/scalar-form.ts";
import type { Attribute, Field, ScalarField } from "../../schema/content-type.ts";
import type { FieldError, Path } from "../../schema/validation/check.ts";
import { notOfType } from "../../schema/validation/messages.ts";
import { biginteger, decimal, isInt4 } from "../../schema/validation/numbers.ts";
import { pathText } from "../../schema/validation/print.ts";
import { invalidJson } from "../../schema/validation/structures.ts";
import { QUICK } from "../../schema/validation/text.ts";

type Scalar = Extract<Attribute | Field, ScalarField>;

/** The name of each form's values, and whether a value is one. */
const FORMS: Readonly<Record<ScalarForm, readonly [type: string, isOne: (value: unknown) => boolean]>> = {
  text: ["string", (value) => typeof value === "string"],
  integer: ["integer", isInt4],
  number: ["number", Number.isFinite],
  decimal: ["decimal", (value) => decimal().safeParse(value).success],
  digits: ["biginteger", (value) => biginteger().safeParse(value).success],
  boolean: ["boolean", (value) => typeof value === "boolean"],
  json: ["json", (value) => value !== invalidJson],
  // The casts refuse others.
  date: ["date", () => true],
  time: ["time", () => true],
  instant: ["datetime", () => true],
  epoch: ["timestamp", () => true],
};

/** The maximum text length of a column. */
const longestOf = (column: AnyPgColumn): number =>
  Number(/^varchar\((\d+)\)$/.exec(column.getSQLType())?.[1] ?? Infinity);

export const fieldError = (path: Path, message: string, value: unknown): FieldError => ({
  path: path.map(String),
  message,
  name: "ValidationError",
  ...(typeof value === "symbol" ? {} : { value }),
});

/** The fault of a value whose type is not that of its attribute. */
export const typeFault = (expected: string, path: Path, value: unknown): FieldError =>
  fieldError(path, notOfType(expected, path, value), value);

/** Why a cast value cannot be stored; undefined if it can. */
export const storageFault = (attribute: Scalar, value: unknown, path: Path): FieldError | undefined => {
  if (value === null || value === undefined) return undefined;
  const [expected, isOne] = FORMS[formOf(attribute.type)];
  if (!isOne(value)) return typeFault(expected, path, value);
  // A password is stored as a hash.
  if (typeof value !== "string" || !("column" in attribute) || attribute.type === "password") return undefined;
  const longest = longestOf(attribute.column);
  if (value.length <= longest) return undefined;
  return fieldError(path, `${pathText(path)} must be at most ${longest} characters`, value);
};

export interface TextReport {
  readonly faults: readonly FieldError[];
  /** Whether a text exceeds the length up to which any usual pattern is certain to match quickly. */
  readonly hasLong: boolean;
}

const faultOf = (text: string): string | undefined => {
  if (text.includes("\0")) return "must not contain the character U+0000";
  return text.isWellFormed() ? undefined : "must not contain half of a surrogate pair";
};

/** Examines all texts of a value, and the keys of its objects. */
export const examineText = (root: unknown): TextReport => {
  const faults: FieldError[] = [];
  let hasLong = false;
  const path: PropertyKey[] = [];
  const report = (message: string): void => {
    faults.push({ path: path.map(String), message: `${pathText(path)} ${message}`, name: "ValidationError" });
  };
  const visitAt = (key: PropertyKey, value: unknown): void => {
    path.push(key);
    visit(value);
    path.pop();
  };
  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      hasLong ||= value.length > QUICK.usual;
      const fault = faultOf(value);
      if (fault !== undefined) report(fault);
    } else if (Array.isArray(value)) value.forEach((each, index) => visitAt(index, each));
    else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        const fault = faultOf(key);
        if (fault !== undefined) report(`has a key that ${fault}`);
        visitAt(key, member);
      }
    }
  };
  visit(root);
  return { faults, hasLong };
};
