/**
 * Parameters are sent to both databases as text in PostgreSQL's input format, whatever type the server infers for them.
 */
import type { Parameter, Value } from "./database.ts";

const element = (value: Value): string => {
  if (value === null) return "NULL";
  if (typeof value !== "string") return String(value);
  return /["\\]/.test(value) ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : `"${value}"`;
};

const isInJson = (value: Value): boolean => typeof value !== "number" || Number.isFinite(value);

/**
 * The text of a list. A list in JSON is one of PostgreSQL but for the brackets, unless something in it is escaped or is
 * no number of JSON; and printing JSON is much faster.
 */
const listText = (list: readonly Value[]): string => {
  const json = JSON.stringify(list);
  const isList = !json.includes("\\") && list.every(isInJson);
  return `{${isList ? json.slice(1, -1) : list.map(element).join(",")}}`;
};

/** The text of a parameter; null stays null. */
export const parameterText = (value: Parameter): string | null => {
  if (value === null || typeof value === "string") return value;
  return typeof value === "object" ? listText(value) : String(value);
};
