/** Reads values from the columns of a row. */
import type { Value } from "./database.ts";

/** The text in a column that cannot be null. */
export const requiredText = (value: Value | undefined): string => {
  if (typeof value !== "string") throw new TypeError(`Expected text from the database, got ${typeof value}.`);
  return value;
};

/** The text in a column that an import may have left null; then the empty text. */
export const textOrNone = (value: Value | undefined): string => (typeof value === "string" ? value : "");

/** The number in a column that cannot be null. */
export const numberOf = (value: Value | undefined): number => {
  if (typeof value !== "number") throw new TypeError(`Expected a number from the database, got ${typeof value}.`);
  return value;
};

/** The instant in a `timestamp` column. */
export const instantOf = (value: Value | undefined): Date | null =>
  typeof value === "string" ? new Date(`${value.replace(" ", "T")}Z`) : null;
