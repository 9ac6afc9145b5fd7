/**
 * Parameters are sent to both databases as text in PostgreSQL's input format, whatever type the server infers for them.
 */
import type { Parameter, Value } from "./database.ts";

const element = (value: Value): string => {
  if (value === null) return "NULL";
  if (typeof value !== "string") return String(value);
  return /["\\]/.test(value) ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : `"${value}"`;
};

/** The text of a parameter; null stays null. */
export const parameterText = (value: Parameter): string | null => {
  if (value === null || typeof value === "string") return value;
  return typeof value === "object" ? `{${value.map(element).join(",")}}` : String(value);
};
