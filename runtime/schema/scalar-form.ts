/**
 * The forms of scalar values: types that differ only in which values they allow are stored and shown in the same form.
 */
import type { ScalarType } from "./attribute.ts";

/**
 * `digits` are integers as text, `date` is a date or a time of day, `epoch` is an instant that is shown as milliseconds
 * since 1970, as text.
 */
export type ScalarForm = "text" | "number" | "digits" | "boolean" | "date" | "instant" | "epoch" | "json";

export const FORMS: Readonly<Record<ScalarType, ScalarForm>> = {
  string: "text",
  text: "text",
  richtext: "text",
  email: "text",
  password: "text",
  uid: "text",
  enumeration: "text",
  integer: "number",
  float: "number",
  decimal: "number",
  biginteger: "digits",
  boolean: "boolean",
  date: "date",
  time: "date",
  datetime: "instant",
  timestamp: "epoch",
  json: "json",
  blocks: "json",
};
