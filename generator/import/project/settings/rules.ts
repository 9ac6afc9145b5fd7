/** Settings with a direct equivalent under another name. */
import type { Value } from "../code/value-type.ts";
import type { Reading } from "./reading.ts";
import { environmentCondition, expressionOf, origin } from "./setting.ts";

/** A number of bytes as middlewares write it, such as `10mb`. */
const bytesOf = (value: Value): string | undefined => {
  if (value.kind !== "literal") return expressionOf(value, "number");
  if (typeof value.value === "number") return String(value.value);
  const [, number = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(b|kb|mb|gb)$/i.exec(String(value.value)) ?? [];
  const power = ["b", "kb", "mb", "gb"].indexOf(unit.toLowerCase());
  return power < 0 ? undefined : String(Math.round(Number(number) * 1024 ** power));
};

/** A duration in our configuration's form: from a number of seconds, or a text such as `30d`. */
const durationOf = (value: Value): string | undefined => {
  if (value.kind === "variable") return value.cast === "text" ? expressionOf(value, "text") : undefined;
  if (value.kind !== "literal") return undefined;
  if (typeof value.value === "number" && Number.isInteger(value.value)) return `"${value.value}s"`;
  const [, number, unit] =
    /^(\d+)\s*(s|m|h|d)(?:ec(?:ond)?s?|in(?:ute)?s?|ours?|ays?)?$/.exec(String(value.value)) ?? [];
  return number === undefined ? undefined : `"${number}${unit}"`;
};

const sameSiteOf = (value: Value): string | undefined => {
  const text = value.kind === "literal" ? String(value.value).toLowerCase() : "";
  const known = ["Lax", "Strict", "None"].find((each) => each.toLowerCase() === text);
  return known && `"${known}"`;
};

/** A path or an address as a text, changed by `change`. */
const changedText = (change: (expression: string) => string) => (value: Value) => {
  const expression = expressionOf(value, "text");
  return expression && change(expression);
};

/** A setting's form here: in words, and how to read it. */
const forms = {
  text: ["a text", (value: Value) => expressionOf(value, "text")],
  number: ["a number", (value: Value) => expressionOf(value, "number")],
  boolean: ["true or false", (value: Value) => expressionOf(value, "boolean")],
  texts: ["a list of texts", (value: Value) => expressionOf(value, "texts")],
  bytes: ["a number of bytes", bytesOf],
  duration: ["a duration such as 30d", durationOf],
  url: ["a text", changedText((text) => text.replace(/\/+"$/, '"'))],
  publicFolder: ["a text", changedText((text) => `\`\${${text}}/uploads\``)],
  sameSite: ["Lax, Strict or None", sameSiteOf],
} as const;

export type Form = keyof typeof forms;

/** From Strapi's name to ours. */
export type Rule = readonly [from: string, to: string, form: Form];

export const cannotRead = (form: Form): string => `is not ${forms[form][0]} that can be read without running it`;

/** Sets what the rules match, in order; unreadable settings are left. */
export const apply = (reading: Reading, rules: readonly Rule[]): void => {
  for (const [from, to, form] of rules) {
    const value = reading.take(from);
    if (value) settle(reading, from, value, to, forms[form][1](value), cannotRead(form));
  }
};

/** Sets one, or notes that it could not be converted. */
export const settle = (
  reading: Reading,
  from: string,
  value: Value,
  to: string,
  expression: string | undefined,
  why: string,
): void => {
  const { condition } = value;
  if (expression === undefined) return reading.leave(from, value, why);
  if (condition !== undefined && !expression.startsWith(`${environmentCondition(value)} ?`))
    reading.leave(from, value, `was set only if \`${condition}\`; in cms.config.ts it is set always`);
  reading.set(to, expression, origin(value, from));
};
