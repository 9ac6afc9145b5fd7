/**
 * Parameters are sent to both databases as text in PostgreSQL's input format, whatever type the server infers for them.
 */
import type { Parameter, Value } from "./database.ts";

const element = (value: Value): string => {
  if (value === null) return "NULL";
  if (typeof value !== "string") return String(value);
  return /["\\]/.test(value) ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : `"${value}"`;
};

/** Characters whose JSON escapes PostgreSQL does not know: control characters, and lone surrogates. */
const ESCAPED = /[\p{Cc}\p{Cs}]/u;

const isAlike = (value: Value): boolean =>
  typeof value === "string" ? !ESCAPED.test(value) : typeof value !== "number" || Number.isFinite(value);

/**
 * The text of a list. Most JSON lists are PostgreSQL arrays except for the brackets, and printing JSON is much faster.
 */
const listText = (list: readonly Value[]): string =>
  `{${list.every(isAlike) ? JSON.stringify(list).slice(1, -1) : list.map(element).join(",")}}`;

/** The text of a parameter; null stays null. */
export const parameterText = (value: Parameter): string | null => {
  if (value === null || typeof value === "string") return value;
  return typeof value === "object" ? listText(value) : String(value);
};
