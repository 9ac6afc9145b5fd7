/**
 * The attribute types that hold a single value. Types that differ only in which values they allow are stored, compared
 * and shown in the same form.
 */

/** `digits`: integers as text; `epoch`: an instant shown as milliseconds since 1970, as text. */
export type ScalarForm =
  | "text"
  | "integer"
  | "number"
  | "decimal"
  | "digits"
  | "boolean"
  | "date"
  | "time"
  | "instant"
  | "epoch"
  | "json";

export const FORMS = {
  string: "text",
  text: "text",
  richtext: "text",
  email: "text",
  password: "text",
  uid: "text",
  enumeration: "text",
  integer: "integer",
  float: "number",
  decimal: "decimal",
  biginteger: "digits",
  boolean: "boolean",
  date: "date",
  time: "time",
  datetime: "instant",
  timestamp: "epoch",
  json: "json",
  blocks: "json",
} as const satisfies Readonly<Record<string, ScalarForm>>;

/** Forms that JSON keeps unchanged; values of others are kept as the text that the database prints. */
export const JSON_FORMS: ReadonlySet<ScalarForm> = new Set(["text", "integer", "number", "boolean", "json"]);

/** The attribute types that hold a single value. */
export type ScalarType = keyof typeof FORMS;

export const isScalarType = (type: string): type is ScalarType => Object.hasOwn(FORMS, type);

export const formOf = (type: ScalarType): ScalarForm => FORMS[type];
